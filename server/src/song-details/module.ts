import { songDetails as contract } from '@dubplate/contract'
import { currentSong } from '../catalogue/merged-songs.ts'
import { on } from '../membership/caller.ts'
import { defineModule } from '../module.ts'
import { findSongDetails } from './song-details.ts'

export const songDetails = defineModule({
  name: 'song-details',
  routes: [
    on(contract.getSongDetails, async ({ input, sql, ctx, caller }) =>
      findSongDetails(sql, await currentSong(sql, input.entity_id), {
        hidden: ctx.settings.hidden,
        customer_id: caller?.customer_id,
      }),
    ),
  ],
})
