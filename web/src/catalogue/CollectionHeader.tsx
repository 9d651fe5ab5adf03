import type { collections } from '@dubplate/contract'
import {
  IconArrowsShuffle,
  IconBasketPlus,
  IconDeviceUsb,
  IconDownload,
  IconPlayerPlayFilled,
  IconShare,
} from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'
import { DigButton } from '../digging/DigButton.tsx'
import { listOf } from '../digging/digList.ts'
import { NextZip } from '../downloads/NextZip.tsx'
import { formatExactDate, formatShortDate } from '../format/format.ts'
import { format, rich } from '../format/message.ts'
import { Mosaic } from '../library/Mosaic.tsx'
import { askToSignIn } from '../membership/pendingAction.ts'
import { hasDjLibrary, useOwned } from '../ownLibrary/owned.ts'
import page from '../platform/Page.module.css'
import { useTabTitle } from '../platform/Page.tsx'
import { isSignedIn } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyOptional } from '../ui/lazyOnDemand.tsx'
import css from './CollectionHeader.module.css'
import {
  addCollectionToCrate,
  type CollectionSource,
  chooseCollectionKit,
  downloadAll,
  MAX_SONGS,
  playCollection,
  sharePage,
  shuffleCollection,
  toStored,
} from './collectionActions.ts'
import { Description } from './Description.tsx'
import { countOf } from './sectionTexts.ts'
import * as texts from './texts.ts'
import { useSection } from './useSection.ts'

const OwnedCount = lazyOptional(() => import('../ownLibrary/OwnedCount.tsx').then((code) => code.OwnedCount))

type Facts = Omit<collections.Collection, 'title'>

type HeaderProps = {
  /** What it is: “Genre”. */
  kind: ReactNode
  /** Undefined while it is loading. */
  title: string | undefined
  /** Undefined while they are loading. */
  facts: Facts | undefined
  /** One line about it. */
  line?: ReactNode
  /** Replaces the description of its facts. */
  description?: string
  /** Replaces the date of the last change. */
  updated?: ReactNode
  /** Its songs; without it there are no actions for all of them. */
  source?: CollectionSource | undefined
  /** Further icon buttons. */
  actions?: ReactNode
  /** False if others could not open the link. */
  isShareable?: boolean | undefined
  /** It failed to load: the error is shown below. */
  isFailed?: boolean
}

/** More songs than this are only added after a confirmation. */
const MAX_UNASKED = 10

/** The screen of a collection: its header and, below it, its songs. */
export function CollectionPage({
  tabTitle,
  children,
  ...header
}: HeaderProps & { /** The title of the tab, if it differs. */ tabTitle?: string | undefined; children: ReactNode }) {
  useTabTitle(tabTitle ?? header.title)
  return (
    <div className={page.page}>
      <CollectionHeader {...header} />
      {header.source && <NextZip />}
      {children}
    </div>
  )
}

function CollectionHeader(props: HeaderProps) {
  const { kind, title, facts, line, updated, source, actions } = props
  const { isShareable = true, isFailed = false } = props
  const description = props.description ?? facts?.description
  const isPending = !facts && !isFailed
  return (
    <header className={css.header} aria-busy={isPending || undefined}>
      <span className={css.cover}>{facts && <Mosaic images={facts.images} width={320} />}</span>
      <div className={css.about}>
        <p className={css.kind}>{kind}</p>
        <h1>{title ?? <span className={css.bone}>{texts.loading}</span>}</h1>
        {line && <p className={css.line}>{line}</p>}
        {description && <Description key={description}>{description}</Description>}
        {isPending && line === undefined && description === undefined && (
          <p className={css.line}>
            <span className={css.bone}>{texts.loading}</span>
          </p>
        )}
        <p className={css.facts}>
          {facts ? (
            <>
              <FactsLine facts={facts} updated={updated} />
              {source && <SourceCount source={source} songs={facts.song_count} />}
            </>
          ) : (
            isPending && <span className={css.bone}>{texts.loading}</span>
          )}
        </p>
      </div>
      {source && !isFailed && (
        <Actions source={source} songCount={facts?.song_count} more={actions} isShareable={isShareable} />
      )}
    </header>
  )
}

function FactsLine({ facts, updated }: { facts: Facts; updated: ReactNode }) {
  const { section } = useSection()
  const { created_by, song_count, new_count, duration_seconds, updated_at } = facts
  const date = updated_at && (
    <time dateTime={updated_at} title={formatExactDate(updated_at)}>
      {format(texts.updatedOn, { date: formatShortDate(updated_at) })}
    </time>
  )
  const parts: [string, ReactNode][] = [
    ['curator', created_by && rich(texts.curatedBy, { name: created_by, b: (inside) => <b>{inside}</b> })],
    ['count', countOf(song_count, section)],
    ['new', !!new_count && format(texts.newThisWeek, { count: new_count })],
    ['length', !!duration_seconds && lengthText(duration_seconds)],
    ['updated', updated ?? date],
  ]
  return parts
    .filter(([, part]) => part)
    .map(([name, part], n) => (
      <Fragment key={name}>
        {n > 0 && ' · '}
        {part}
      </Fragment>
    ))
}

/** How many of its songs a member with a DJ library owns. */
function SourceCount({ source, songs }: { source: CollectionSource; songs: number }) {
  const hasLibrary = useOwned(hasDjLibrary)
  const { playlist_id, reference } = source
  if (!hasLibrary || songs === 0 || (playlist_id === undefined && !reference)) return null
  return <OwnedCount list={reference ? { collection: reference } : { playlist_id }} songs={songs} />
}

/** '2 h 4 min', '38 min'. */
export function lengthText(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (!hours) return format(texts.minutes, { minutes })
  return rest ? format(texts.hoursAndMinutes, { hours, minutes: rest }) : format(texts.hours, { hours })
}

type ActionsProps = { source: CollectionSource; songCount: number | undefined; more: ReactNode; isShareable: boolean }

function Actions({ source, songCount, more, isShareable }: ActionsProps) {
  const [busy, setBusy] = useState('')
  const count = Math.min(songCount ?? 0, MAX_SONGS)
  const run = async (action: string, task: (source: CollectionSource) => Promise<void>) => {
    setBusy(action)
    try {
      await task(source)
    } finally {
      setBusy('')
    }
  }
  const [isAsking, setAsking] = useState(false)
  const isCut = (songCount ?? 0) > MAX_SONGS
  const add = () => run('add', addCollectionToCrate)
  const askToAdd = () => {
    if (!isSignedIn()) return askToSignIn('addCollection', [toStored(source)], source.title)
    if (count <= MAX_UNASKED) return void add()
    setAsking(true)
  }
  const disabled = count === 0
  return (
    <div className={css.actions}>
      <Button
        variant="primary"
        disabled={disabled}
        busy={busy === 'play'}
        onClick={() => void run('play', playCollection)}
      >
        {busy !== 'play' && <IconPlayerPlayFilled size={16} aria-hidden />}
        {texts.playAll}
      </Button>
      <Button
        className={css.add}
        disabled={disabled}
        busy={busy === 'add'}
        title={texts.addAllToCrate}
        onClick={askToAdd}
      >
        {busy !== 'add' && <IconBasketPlus size={18} stroke={1.8} aria-hidden />}
        <span>{texts.addAllToCrate}</span>
      </Button>
      <IconButton
        className={css.shuffle}
        label={texts.shuffle}
        disabled={disabled || busy === 'shuffle'}
        onClick={() => void run('shuffle', shuffleCollection)}
      >
        <IconArrowsShuffle size={18} stroke={1.8} />
      </IconButton>
      <DigButton list={listOf(source)} title={source.title} disabled={disabled} />
      <IconButton
        label={texts.downloadAll}
        disabled={disabled || busy === 'download'}
        onClick={() => void run('download', downloadAll)}
      >
        <IconDownload size={18} stroke={1.8} />
      </IconButton>
      <IconButton
        className={css.computer}
        label={texts.downloadForDjSoftware}
        disabled={disabled || busy === 'kit'}
        onClick={() => void run('kit', chooseCollectionKit)}
      >
        <IconDeviceUsb size={18} stroke={1.8} />
      </IconButton>
      {more}
      {isShareable && (
        <IconButton label={texts.share} onClick={() => void sharePage(source.title)}>
          <IconShare size={18} stroke={1.8} />
        </IconButton>
      )}
      {isAsking && (
        <ConfirmDialog
          title={format(isCut ? texts.addNewestToCrate : texts.addSongsToCrate, { count })}
          what={isCut ? format(texts.onlyTheFirstSongs, { count }) : texts.addsThePreferredVersion}
          confirmLabel={texts.addAllToCrate}
          onConfirm={add}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

type LinkTile = { key: string | number; name: string; song_count?: number; link: LinkProps }

type LinkTilesProps = {
  label: string
  /** Also shows the label. */
  isLabelled?: boolean
  /** Undefined while they are loading: their line is kept free. */
  tiles: LinkTile[] | undefined
}

/** Links to related collections in one line: sub-genres, joint artists, labels. */
export function LinkTiles({ label, isLabelled, tiles }: LinkTilesProps) {
  if (!tiles) return <div className={css.tiles} aria-hidden />
  if (tiles.length === 0) return null
  return (
    <nav className={css.tiles} aria-label={label}>
      {isLabelled && <span aria-hidden>{label}</span>}
      {tiles.map(({ key, name, song_count, link }) => (
        <Link key={key} {...link}>
          {name}
          {song_count !== undefined && (
            <small className="num">
              {rich(texts.songCountHidden, {
                count: song_count,
                hidden: (inside) => <span className="sr">{inside}</span>,
              })}
            </small>
          )}
        </Link>
      ))}
    </nav>
  )
}
