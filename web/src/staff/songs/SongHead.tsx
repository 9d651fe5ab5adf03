import type { ReplyOf, staffSongs } from '@dubplate/contract'
import { corrections as calls } from '@dubplate/contract'
import { FileButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type DragEvent, useRef, useState } from 'react'
import { PICTURES } from '../../admin/PictureInput.tsx'
import { callApi } from '../../platform/api.ts'
import { formatDate } from '../../platform/dates.ts'
import { formatExactDate } from '../../platform/format.ts'
import { format, rich } from '../../platform/message.ts'
import buttonCss from '../../ui/Button.module.css'
import { Button } from '../../ui/Button.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { SourceMark } from '../../uploads/Field.tsx'
import { SONG_DEEDS } from './moreDeeds.ts'
import css from './SongDesk.module.css'
import { analyseAgain, inTurn, readAgain, type Song, sayDone, sendCover, took } from './songDeeds.ts'
import { setStanding } from './standing.ts'
import * as texts from './texts.ts'

const ReasonDialog = lazyOnDemand(() => import('../../admin/ReasonDialog.tsx').then(({ ReasonDialog }) => ReasonDialog))

type Uploader = ReplyOf<typeof staffSongs.getSong>['uploader']

const STATUS_WORDS: Record<Song['status'], string> = {
  published: texts.published,
  unpublished: texts.unpublished,
  draft: texts.draft,
}

/** A song's title, its cover, and the actions on the song as a whole. */
export function SongHead({ song, uploader }: { song: Song; uploader: Uploader }) {
  const { entity_id, title, artist, status, unpublished_at, created_at } = song
  const [asked, setAsked] = useState<'unpublish' | 'restore'>()
  const isIn = status === 'published'
  return (
    <header className={css.head}>
      <Cover song={song} />
      <div className={css.who}>
        <h2>{artist}</h2>
        <p className={css.facts}>
          <b data-status={status}>{STATUS_WORDS[status]}</b>
          {unpublished_at && (
            <span title={formatExactDate(unpublished_at)}>
              {format(texts.since, { unpublished_at: formatDate(unpublished_at) })}
            </span>
          )}
          <span title={formatExactDate(created_at)}>{format(texts.added, { created_at: formatDate(created_at) })}</span>
          {uploader && (
            <span>
              {rich(texts.uploadedBy, {
                dj_name: uploader.dj_name,
                link: (inside) => (
                  <Link to="/staff/uploads" search={{ open: uploader.upload_song_id, state: 'published' }}>
                    {inside}
                  </Link>
                ),
              })}
            </span>
          )}
        </p>
        <div className={css.actions}>
          {isIn && (
            <Link to="/song/$entityId" params={{ entityId: entity_id }} className={buttonCss.button}>
              {texts.viewAsMember}
            </Link>
          )}
          <Button onClick={() => void analyseAgain([song])}>{texts.reAnalyse}</Button>
          {SONG_DEEDS.map((Deed) => (
            <Deed key={Deed.displayName ?? Deed.name} song={song} onDone={() => void readAgain(entity_id)} />
          ))}
          <Button onClick={() => setAsked(isIn ? 'unpublish' : 'restore')}>
            {isIn ? texts.unpublishMenuItem : texts.publishMenuItem}
          </Button>
        </div>
      </div>
      {asked && (
        <ReasonDialog
          title={format(asked === 'unpublish' ? texts.unpublishQuestion : texts.publishQuestion, { title })}
          text={asked === 'unpublish' ? texts.theSongDisappearsFromLists : texts.theSongReappearsInLists}
          verb={asked === 'unpublish' ? texts.unpublish : texts.publish}
          hint={texts.savedInTheAuditLog}
          missingMessage={asked === 'unpublish' ? texts.enterAReasonYourColleagues : undefined}
          isDanger={asked === 'unpublish'}
          draftName={`song.${entity_id}`}
          onSend={async (reason) => void (await setStanding(asked, [song], reason))}
          onClose={() => setAsked(undefined)}
        />
      )}
    </header>
  )
}

/** The cover: another picture can be chosen or removed, or the generated one restored. */
function Cover({ song }: { song: Song }) {
  const { entity_id, title, image, has_cover, origins } = song
  // Allows choosing the same file again.
  const resetInput = useRef<() => void>(null)
  const [sent, setSent] = useState<number>()
  const [trouble, setTrouble] = useState('')
  const work = async (does: () => Promise<{ song_edit_id: number | null }>, said: string) => {
    setTrouble('')
    setSent(0)
    try {
      sayDone(said, (await does()).song_edit_id)
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : texts.couldntChangeTheCoverTry)
      void readAgain(entity_id)
    }
    setSent(undefined)
  }
  const choose = (picture: File | undefined) => {
    if (picture) void work(() => sendCover(entity_id, picture, setSent), format(texts.coverOfUpdated, { title }))
  }
  const drop = () =>
    work(
      () => inTurn(entity_id, async (revision) => took(await callApi(calls.dropCover, { entity_id, revision }))),
      format(texts.coverOfResetToThe, { title }),
    )
  const isBusy = sent !== undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same without a drag
    <div
      className={css.cover}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault()
        choose(event.dataTransfer.files[0])
      }}
    >
      <Picture key={image} image={image} />
      <p>
        {has_cover ? texts.uploadedCover : texts.generatedCover} <SourceMark source={origins.artwork} />
      </p>
      <FileButton
        accept={PICTURES}
        resetRef={resetInput}
        inputProps={{ 'aria-label': texts.coverPicture }}
        onChange={(picture) => {
          resetInput.current?.()
          choose(picture ?? undefined)
        }}
      >
        {({ onClick }) => (
          <Button busy={isBusy} onClick={onClick}>
            {has_cover ? texts.replaceCover : texts.uploadCover}
          </Button>
        )}
      </FileButton>
      {has_cover && (
        <Button busy={isBusy} onClick={() => void drop()}>
          {texts.generatedCover}
        </Button>
      )}
      {isBusy && <progress value={sent} max={1} aria-label={texts.uploadingCover} />}
      {trouble && (
        <p className={css.wrong} role="alert">
          {trouble}
        </p>
      )}
    </div>
  )
}

/** The generated cover of an unpublished song cannot be loaded. */
function Picture({ image }: { image: string }) {
  const [isThere, setThere] = useState(true)
  if (!isThere) return <i className={css.noPicture} />
  return <img src={image} alt="" width={160} height={160} onError={() => setThere(false)} />
}
