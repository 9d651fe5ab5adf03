import { collections as calls } from '@dubplate/contract'
import { on } from '../membership/caller.ts'
import { defineModule } from '../module.ts'
import { getCollection, getCollectionSongs, getCredited, getCreditedSongs } from './collections.ts'

/** The headers of genres, lists, charts, artists and labels, and the pages of artists and labels. */
export const collections = defineModule({
  name: 'collections',
  routes: [
    on(calls.getCollection, async ({ input, ctx }) => ({ collection: await getCollection(ctx, input) })),
    on(calls.getCollectionSongs, ({ input, ctx }) => getCollectionSongs(ctx, input, calls.COLLECTION_PAGE_SIZE)),
    on(calls.getArtist, ({ input, ctx }) => getCredited(ctx, 'artist', input)),
    on(calls.getArtistSongs, ({ input, ctx }) => getCreditedSongs(ctx, 'artist', input)),
    on(calls.getLabel, ({ input, ctx }) => getCredited(ctx, 'label', input)),
    on(calls.getLabelSongs, ({ input, ctx }) => getCreditedSongs(ctx, 'label', input)),
  ],
})
