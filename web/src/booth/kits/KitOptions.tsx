import { downloads, type ReplyOf, type Software } from '@dubplate/contract'
import { SOFTWARE_NAMES } from '@dubplate/contract/schemas/dj-software'
import { NativeSelect } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import css from '../../downloads/DownloadDialog.module.css'
import { LeaveOut } from '../../downloads/LeaveOut.tsx'
import { countLeftOut, type LeftOut } from '../../downloads/leftOut.ts'
import { usageText } from '../../downloads/usageText.ts'
import { formatBytes } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { ChoiceCards } from '../../membership/account/ChoiceCards.tsx'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import type { DownloadProfile } from '../newProfile.ts'
import { optionsOf } from '../profileNames.ts'
import { downloadKit } from './downloadKit.ts'
import kitCss from './KitOptions.module.css'
import { closeKitChoice, type KitSongs } from './kitChoice.ts'
import * as texts from './texts.ts'

type Summary = ReplyOf<typeof downloads.kitSummary>
type Props = { songs: KitSongs; profiles: DownloadProfile[] }

/** Chooses the profile, the program and what the kit contains, and shows how many downloads it uses. */
export function KitOptions({ songs, profiles }: Props) {
  const [profileId, setProfileId] = useState<number>()
  const profile = profiles.find(({ profile_id, is_default }) =>
    profileId === undefined ? is_default : profile_id === profileId,
  )
  const [chosenSoftware, setSoftware] = useState<Software>()
  const { source } = songs
  const { data, error, refetch } = useApiQuery(
    downloads.kitSummary,
    { source, profile_id: profile?.profile_id },
    { keepPrevious: true },
  )
  if (!profile) return null
  const software = chosenSoftware ?? profile.software
  return (
    <div className={css.options}>
      <div className={kitCss.line}>
        <NativeSelect
          label={texts.djSoftware}
          data={optionsOf(SOFTWARE_NAMES)}
          value={software}
          onChange={({ target }) => setSoftware(target.value as Software)}
        />
        <NativeSelect
          label={texts.downloadProfile}
          data={profiles.map(({ profile_id, name }) => ({ value: String(profile_id), label: name }))}
          value={String(profile.profile_id)}
          onChange={({ target }) => {
            setProfileId(Number(target.value))
            setSoftware(undefined)
          }}
        />
      </div>
      <p className={kitCss.links}>
        <Link to="/account/download-profiles" onClick={closeKitChoice}>
          {texts.editProfiles}
        </Link>
        <Link to="/dj-software/$software" params={{ software }} onClick={closeKitChoice}>
          {format(texts.howToImportInto, { name: SOFTWARE_NAMES[software] })}
        </Link>
      </p>
      {data ? (
        <KitContents songs={songs} profile={profile} software={software} summary={data} />
      ) : error ? (
        <ErrorState error={error} title={texts.couldntLoadTheKit} retry={() => void refetch()} />
      ) : (
        <div className={css.waiting} aria-busy />
      )}
    </div>
  )
}

type ContentsProps = { songs: KitSongs; profile: DownloadProfile; software: Software; summary: Summary }

function KitContents({ songs, profile, software, summary }: ContentsProps) {
  const { owned, downloadable, bytes } = summary
  const [contents, setContents] = useState<'audio' | 'library'>(songs.isOwned && owned > 0 ? 'library' : 'audio')
  const [leftOut, setLeftOut] = useState<LeftOut>({})
  const withAudio = contents === 'audio'
  const skipped = withAudio ? countLeftOut(summary, leftOut) : 0
  const problem = problemOf({ ...summary, downloadable: downloadable - skipped }, withAudio)
  const download = () => {
    closeKitChoice()
    void downloadKit({ songs, profile, software, summary, withAudio, leftOut })
  }
  return (
    <>
      <ChoiceCards
        title={texts.filesToDownload}
        chosen={contents}
        onChoose={setContents}
        choices={[
          {
            value: 'audio',
            name: texts.audioAndLibraryFile,
            note: format(texts.audioAndLibraryFileNote, { files: downloadable, size: formatBytes(bytes) }),
          },
          { value: 'library', name: texts.libraryFileOnly, note: format(texts.libraryFileNote, { count: owned }) },
        ]}
      />
      {withAudio && <LeaveOut summary={summary} value={leftOut} onChange={setLeftOut} />}
      <div className={css.usage} aria-live="polite">
        {problem ? <Problem {...problem} /> : withAudio && <Usage summary={summary} skipped={skipped} />}
      </div>
      <div className={css.actions}>
        <Button onClick={closeKitChoice}>{texts.cancel}</Button>
        <Button variant="primary" disabled={problem !== undefined} onClick={download}>
          {format(texts.downloadForSoftware, { name: SOFTWARE_NAMES[software] })}
        </Button>
      </div>
    </>
  )
}

type ProblemProps = { text: string; needsPlan?: boolean }

/** Why the kit cannot be downloaded. */
function problemOf({ has_bundle, downloadable, owned }: Summary, withAudio: boolean): ProblemProps | undefined {
  if (!has_bundle) return { text: texts.planHasNoKits, needsPlan: true }
  if (withAudio && downloadable === 0) return { text: texts.nothingToDownload }
  if (!withAudio && owned === 0) return { text: texts.noFilesDownloadedYet }
  return undefined
}

const Problem = ({ text, needsPlan = false }: ProblemProps) => (
  <p className={css.warning}>
    <IconAlertTriangle size={14} aria-hidden />
    <span>
      {text}{' '}
      {needsPlan && (
        <Link to="/subscription/plans" onClick={closeKitChoice}>
          {texts.seePlans}
        </Link>
      )}
    </span>
  </p>
)

/** What the download uses; `skipped` is the number of files that are left out. */
function Usage({ summary, skipped }: { summary: Summary; skipped: number }) {
  const { files, downloadable, limit, uses } = summary
  const missing = files - downloadable
  // The downloads of staff are not counted.
  const used = limit === null ? undefined : usageText({ ...summary, uses: uses - skipped })
  return (
    <p>
      {used} {missing > 0 && format(texts.notIncluded, { count: missing })}
    </p>
  )
}
