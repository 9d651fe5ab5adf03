import { downloads, type Software } from '@dubplate/contract'
import { startDownload } from '../../downloads/crateZips.ts'
import { runExclusive } from '../../downloads/download.ts'
import { zipFormatFor } from '../../downloads/downloadFormats.ts'
import type { LeftOut } from '../../downloads/leftOut.ts'
import { format } from '../../format/message.ts'
import { goTo } from '../../platform/address.ts'
import { callApi } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'
import type { DownloadProfile } from '../newProfile.ts'
import type { KitSongs } from './kitChoice.ts'
import * as texts from './texts.ts'

export type KitRequest = {
  songs: KitSongs
  profile: DownloadProfile
  software: Software
  summary: Pick<downloads.DownloadSummary, 'conversions'>
  withAudio: boolean
  leftOut: LeftOut
}

/** Downloads a kit, after its files are converted if the profile wants that. */
export const downloadKit = ({ songs, profile, software, summary, withAudio, leftOut }: KitRequest) =>
  runExclusive(
    'kit',
    async () => {
      const kit = { source: songs.source, profile_id: profile.profile_id }
      const answer = withAudio ? leftOut : {}
      const wanted = zipFormatFor(summary, profile.format)
      const converted = withAudio && wanted !== 'original' ? { format: wanted } : {}
      if (converted.format) {
        const { prepareDownload } = await import('../../downloads/prepareDownload.tsx')
        if (!(await prepareDownload({ format: converted.format, kit, ...answer }))) return
      }
      const input = { software, ...kit, with_audio: withAudio, ...answer }
      const bundle = await callApi(downloads.downloadBoothKit, input)
      startDownload(bundle, converted, {
        ...(withAudio ? {} : { message: format(texts.libraryFileOf, { count: bundle.files }) }),
        action: { label: texts.howToImportIt, run: () => goTo(`/dj-software/${software}`) },
      })
      for (const { path } of [downloads.kitSummary, downloads.crateSummary])
        void queryClient.invalidateQueries({ queryKey: [path] })
    },
    { action: { kind: 'kit', args: [songs], title: songs.title } },
  )
