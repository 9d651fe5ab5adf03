import { songDetails as contract, quality } from '@dubplate/contract'
import { currentSong } from '../catalogue/merged-songs.ts'
import { on } from '../membership/caller.ts'
import { defineModule } from '../module.ts'
import { findSongDetails } from './song-details.ts'
import { findVersionSpectrum } from './spectrum.ts'

export const songDetails = defineModule({
  name: 'song-details',
  routes: [
    on(contract.getSongDetails, async ({ input, sql, ctx, caller }) =>
      findSongDetails(sql, await currentSong(sql, input.entity_id), {
        hidden: ctx.settings.hidden,
        conversions: ctx.settings.conversions,
        customer_id: caller?.customer_id,
      }),
    ),
    on(quality.getSpectrum, async ({ input, sql }) => ({
      spectrum: await findVersionSpectrum(sql, input.song_version_id, 'published'),
    })),
  ],
})
