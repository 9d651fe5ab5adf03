import { staffSongs } from '@dubplate/contract'
import { Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { formatExactDate } from '../../format/format.ts'
import { format, rich } from '../../format/message.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { Button } from '../../ui/Button.tsx'
import { useAction } from '../../ui/useAction.ts'
import { describeEdit, describeFields } from './editTexts.ts'
import { undoEdit } from './songActions.ts'
import * as texts from './texts.ts'

/** Recent edits by staff, each with an undo button: the content of a side panel. */
export function RecentEdits() {
  const [mine, setMine] = useState(false)
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useApiQuery(staffSongs.getEdits, { mine, page }, { keepPrevious: true })
  if (!data && error)
    return <InlineError error={error} subject={texts.recentEditsInSentence} retry={() => void refetch()} />
  const { totalCount = 0, perPageLimit = 1 } = data?.pagination ?? {}
  return (
    <Stack>
      <Title order={2}>{texts.recentEdits}</Title>
      <Checkbox
        label={texts.onlyMine}
        checked={mine}
        onChange={({ currentTarget }) => {
          setMine(currentTarget.checked)
          setPage(1)
        }}
      />
      {!data && <Text c="dimmed">{texts.loading}</Text>}
      {data?.edits.length === 0 && <Text c="dimmed">{texts.noEditsYet}</Text>}
      <Stack component="ol" gap="md" aria-label={texts.edits}>
        {data?.edits.map((edit) => (
          <Edit key={edit.song_edit_id} edit={edit} />
        ))}
      </Stack>
      {totalCount > perPageLimit && (
        <Group gap="sm">
          <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
            {texts.newer}
          </Button>
          <Button disabled={page * perPageLimit >= totalCount} onClick={() => setPage(page + 1)}>
            {texts.older}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Edit({ edit }: { edit: staffSongs.SongEdit }) {
  const { example, songs, at } = edit
  const link = (inside: ReactNode) => (
    <Link to="/staff/songs/$entityId" params={{ entityId: example.entity_id }} style={{ textDecoration: 'underline' }}>
      {inside}
    </Link>
  )
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <Text component="div" fz="sm" c="var(--text-2)" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <p>
          <Text span fz="sm" fw={560} c="var(--text)">
            {describeEdit(edit)}
          </Text>{' '}
          {describeFields(edit)}
        </p>
        <p>
          {songs > 1
            ? rich(texts.songAndOthers, { artist: example.artist, title: example.title, others: songs - 1, link })
            : link(format(texts.artistAndTitle, { artist: example.artist, title: example.title }))}
        </p>
        <p>
          <EditTime at={at} by={edit.by} />
        </p>
      </Text>
      <UndoButton edit={edit} />
    </Group>
  )
}

export function UndoButton({
  edit,
}: {
  edit: Pick<staffSongs.SongEdit, 'song_edit_id' | 'undone' | 'songs' | 'kind'>
}) {
  const [undo, isBusy] = useAction(undoEdit)
  const { song_edit_id, undone, songs, kind } = edit
  if (undone >= songs)
    return (
      <Text span fz="sm" c="dimmed">
        {texts.undone}
      </Text>
    )
  return (
    <Button busy={isBusy} onClick={() => undo(song_edit_id)}>
      {kind === 'undone'
        ? texts.redo
        : undone > 0
          ? format(texts.undoRemainingSongs, { songs: songs - undone })
          : texts.undo}
    </Button>
  )
}

/** The time and author of an edit. */
export function EditTime({ at, by }: Pick<staffSongs.SongEdit, 'at' | 'by'>) {
  const now = useCurrentMinute()
  const values = {
    ago: formatTimeAgo(at, now),
    time: (inside: ReactNode) => (
      <time dateTime={at} title={formatExactDate(at)}>
        {inside}
      </time>
    ),
  }
  return by ? rich(texts.editedAgoBy, { ...values, by }) : rich(texts.editedAgo, values)
}
