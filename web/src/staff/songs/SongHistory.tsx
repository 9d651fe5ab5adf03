import type { ReplyOf, staffSongs } from '@dubplate/contract'
import { Group, Text, Timeline } from '@mantine/core'
import { PageSection } from '../../admin/PageSection.tsx'
import { format } from '../../format/message.ts'
import { changedFieldName, describeEdit } from './editTexts.ts'
import { EditTime, UndoButton } from './RecentEdits.tsx'
import * as texts from './texts.ts'

type Props = { edits: ReplyOf<typeof staffSongs.getSong>['edits'] }

/** What staff changed about a song, value by value. Each edit can be undone. */
export const SongHistory = ({ edits }: Props) => (
  <PageSection title={texts.history}>
    {edits.length === 0 && <Text c="var(--text-2)">{texts.noChangesYet}</Text>}
    <Timeline bulletSize={14} lineWidth={1} color="gray" fz="sm">
      {edits.map((edit) => (
        <Timeline.Item key={edit.song_edit_id} title={describeEdit(edit)}>
          {edit.changes.map(({ field, before, after }) => (
            <Text key={`${field} ${before} ${after}`} fz="sm" style={{ overflowWrap: 'anywhere' }}>
              {changedFieldName(field)}: <del>{before || texts.empty}</del> → <ins>{after || texts.empty}</ins>
            </Text>
          ))}
          <Group justify="space-between" gap="sm" mt={4}>
            <Text fz="xs" c="var(--text-2)">
              <EditTime at={edit.at} by={edit.by} />
              {edit.songs > 1 && ` · ${format(texts.withOtherSongs, { songs: edit.songs - 1 })}`}
            </Text>
            <UndoButton edit={edit} />
          </Group>
        </Timeline.Item>
      ))}
    </Timeline>
  </PageSection>
)
