import { catalogue, members, type ReplyOf } from '@dubplate/contract'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { InlineError } from '../../platform/InlineError.tsx'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Part } from './MemberPart.tsx'
import * as texts from './texts.ts'
import css from './WhyNoDownload.module.css'

type Downloads = ReplyOf<typeof members.getMember>['downloads']['newest']

const STEP_NAMES: Record<members.DownloadStep['step'], string> = {
  account: texts.account,
  application: texts.application,
  session: texts.signInActivity,
  group: texts.group,
  payment: texts.payment,
  song: texts.song,
  file: texts.file,
  limit: texts.limit,
}

/** Why a member can or cannot download, step by step. The version in question is in the URL. */
export function WhyNoDownload({ customerId, downloads }: { customerId: number; downloads: Downloads }) {
  const { version } = useSearch({ from: '/staff/members/$customerId' })
  const input = { customer_id: customerId, ...(version ? { song_version_id: version } : {}) }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(members.whyNoDownload, input, { keepPrevious: true })
  const wrong = data?.steps.filter(({ ok }) => !ok).length ?? 0
  const asked = data?.version
  return (
    <Part
      title={texts.downloadCheck}
      note={data && (wrong === 0 ? texts.noProblemsFound : format(texts.problemsFound, { wrong }))}
    >
      {error && !data && (
        <InlineError alert error={error} subject={texts.theDownloadCheck} retry={() => void refetch()} />
      )}
      {!data && !error && <div className={css.bone} aria-busy />}
      {data && (
        <ol className={css.steps} aria-busy={isPlaceholderData || undefined}>
          {data.steps.map(({ step, ok, sentence }) => (
            <li key={step} data-ok={ok}>
              {ok ? <IconCircleCheck size={18} aria-hidden /> : <IconCircleX size={18} aria-hidden />}
              <b>{STEP_NAMES[step]}</b>
              <span>
                {rich(ok ? texts.ok : texts.problem, {
                  sentence,
                  sr: (inside) => <span className="sr">{inside}</span>,
                })}
              </span>
            </li>
          ))}
        </ol>
      )}
      <OfVersion
        asked={asked ? `${asked.artist} – ${asked.title} (${asked.version_label})` : undefined}
        downloads={downloads}
      />
    </Part>
  )
}

/** Lets staff choose the version to check. */
function OfVersion({ asked, downloads }: { asked: string | undefined; downloads: Downloads }) {
  const { version } = useSearch({ from: '/staff/members/$customerId' })
  const navigate = useNavigate({ from: '/staff/members/$customerId' })
  const [text, setText] = useState<string>()
  const choose = (version: number | undefined) => {
    setText(undefined)
    void navigate({ search: { version }, replace: true, resetScroll: false })
  }
  if (version) {
    return (
      <p className={css.asked}>
        <span>{asked ?? format(texts.versionNumber, { version })}</span>
        <Button onClick={() => choose(undefined)}>{texts.checkAnotherVersion}</Button>
      </p>
    )
  }
  return (
    <div className={css.choice}>
      <SearchField label={texts.searchForASongTo} value={text ?? ''} onSearch={setText} />
      {text && text.length >= SHORTEST ? (
        <Found text={text} onChoose={choose} />
      ) : (
        downloads.length > 0 && (
          <ul className={css.versions} aria-label={texts.recentDownloads}>
            {downloads.map(({ download_id, song_version_id, title, version_label }) => (
              <li key={download_id}>
                <Button onClick={() => choose(song_version_id)}>
                  {title} ({version_label})
                </Button>
              </li>
            ))}
          </ul>
        )
      )}
    </div>
  )
}

const SHORTEST = 3
const MOST_SONGS = 5

function Found({ text, onChoose }: { text: string; onChoose: (version: number) => void }) {
  const asked = useApiQuery(catalogue.searchSongs, { searchTerm: text }, { keepPrevious: true })
  const { data, error, refetch } = asked
  if (error && !data)
    return <InlineError error={error} subject={texts.searchResultsInSentence} retry={() => void refetch()} />
  if (data?.songs.length === 0) return <p className={css.none}>{texts.noSongsMatchYourSearch}</p>
  return (
    <ul className={css.songs} aria-label={texts.searchResults}>
      {data?.songs.slice(0, MOST_SONGS).map(({ entity_id, artist, title, version }) => (
        <li key={entity_id}>
          <p>
            {artist} – {title}
          </p>
          <ul className={css.versions}>
            {version.map(({ song_version_id, version_label }) => (
              <li key={song_version_id}>
                <Button aria-label={`${title}, ${version_label}`} onClick={() => onChoose(song_version_id)}>
                  {version_label}
                </Button>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
