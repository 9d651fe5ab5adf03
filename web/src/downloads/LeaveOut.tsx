import type { downloads } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { Switch } from '../ui/Switch.tsx'
import type { LeftOut } from './leftOut.ts'
import * as texts from './texts.ts'

type Props = { summary: downloads.DownloadSummary; value: LeftOut; onChange: (value: LeftOut) => void }

/** Switches to leave out the files of a download that the member has already. */
export const LeaveOut = ({ summary: { downloadable, repeated, in_library }, value, onChange }: Props) => (
  <>
    {repeated > 0 && repeated < downloadable && (
      <Switch
        checked={value.skip_downloaded ?? false}
        onChange={(isOn) => onChange({ ...value, skip_downloaded: isOn || undefined })}
      >
        {format(texts.leaveOutDownloadedFiles, { count: repeated })}
      </Switch>
    )}
    {in_library > 0 && in_library < downloadable && (
      <Switch
        checked={value.skip_in_library ?? false}
        onChange={(isOn) => onChange({ ...value, skip_in_library: isOn || undefined })}
      >
        {format(texts.leaveOutLibraryFiles, { count: in_library })}
      </Switch>
    )}
  </>
)
