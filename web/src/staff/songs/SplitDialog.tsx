import { merging, type ReplyOf } from '@dubplate/contract'
import { Button, Checkbox, Group, Input, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '../../admin/ActionDialog.tsx'
import { FormMessages } from '../../admin/ResourceForm.tsx'
import { formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { queryClient, useApiQuery } from '../../platform/queries.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { messagesOf } from '../../platform/useResourceForm.ts'
import { describeVersion, suggestNewSong } from './mergeTexts.ts'
import * as texts from './texts.ts'

type Props = {
  entityId: number
  onClose: () => void
  /** Called with the id of the new song. */
  onDone: (entityId: number) => void
}

type Preview = ReplyOf<typeof merging.getSplit>

/** Splits a song: undoes a merge, or makes versions a song of their own. */
export function SplitDialog({ entityId, onClose, onDone }: Props) {
  const preview = useApiQuery(merging.getSplit, { entity_id: entityId })
  const { data } = preview
  const [versionIds, setVersionIds] = useState<number[]>([])
  /** What was typed; until then the suggestion is used. */
  const [typed, setTyped] = useState<{ title?: string; artist?: string }>({})
  const [wasTried, setTried] = useState(false)
  const { mutate, isPending, error } = useApiMutation(merging.splitSong, {
    success: (_, { artist, title }) => ({
      message: format(texts.isNowASeparateSong, { song: `${artist} – ${title}` }),
    }),
  })
  const selected = data?.versions.filter(({ song_version_id }) => versionIds.includes(song_version_id)) ?? []
  const { title, artist } = { ...(data ? suggestNewSong(data.song, selected) : { title: '', artist: '' }), ...typed }
  const problem = data ? findProblem(data.versions, versionIds) : ''
  const finish = ({ entity_id }: { entity_id: number }) => {
    // A split song may be in any list.
    void queryClient.invalidateQueries()
    onDone(entity_id)
    onClose()
  }
  const split = () => {
    setTried(true)
    if (!data || problem || !title.trim() || !artist.trim()) return
    mutate(
      { entity_id: entityId, song_version_ids: versionIds, title, artist, state: data.state },
      { onSuccess: finish, onError: () => void preview.refetch() },
    )
  }
  return (
    <ActionDialog
      title={texts.splitSong}
      actionLabel={texts.splitSong}
      isWide
      isDisabled={!data}
      form={{
        isBusy: isPending,
        messages: wasTried && problem ? [problem] : error ? messagesOf(error) : [],
        submit: (event) => {
          event?.preventDefault()
          split()
        },
      }}
      onClose={onClose}
    >
      {data ? (
        <Stack gap="lg">
          {data.merges.length > 0 && <MergedSongs merges={data.merges} onUndone={finish} />}
          <Checkbox.Group
            label={texts.versionsForTheNewSong}
            value={versionIds.map(String)}
            onChange={(ids) => setVersionIds(ids.map(Number))}
          >
            <Stack gap="sm">
              {data.versions.map((version) => (
                <Checkbox
                  key={version.song_version_id}
                  value={String(version.song_version_id)}
                  label={version.version_label}
                  description={[describeVersion(version), version.uploaded_name].filter(Boolean).join(' · ')}
                  styles={{ description: { overflowWrap: 'anywhere' } }}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={texts.title}
              maxLength={300}
              autoComplete="off"
              value={title}
              error={wasTried && !title.trim() && texts.enterATitle}
              onChange={({ currentTarget }) => setTyped({ ...typed, title: currentTarget.value })}
            />
            <TextInput
              label={texts.artist}
              maxLength={300}
              autoComplete="off"
              value={artist}
              error={wasTried && !artist.trim() && texts.enterAnArtist}
              onChange={({ currentTarget }) => setTyped({ ...typed, artist: currentTarget.value })}
            />
          </SimpleGrid>
          <Text fz="sm" c="var(--text-2)">
            {format(texts.theNewSongKeepsThe, { title: data.song.title })}
          </Text>
        </Stack>
      ) : preview.error ? (
        <InlineError error={preview.error} subject={texts.thisSong} retry={() => void preview.refetch()} alert />
      ) : (
        <Skeleton h={240} aria-busy />
      )}
    </ActionDialog>
  )
}

type MergedSongsProps = { merges: Preview['merges']; onUndone: (song: { entity_id: number }) => void }

/** The songs that were merged into this one. */
function MergedSongs({ merges, onUndone }: MergedSongsProps) {
  const { mutate, isPending, variables, error } = useApiMutation(merging.undoMerge, {
    success: () => ({ message: texts.mergeUndoneBothSongsAre }),
  })
  return (
    <Input.Wrapper label={texts.mergedSongs} labelElement="div">
      <Stack component="ul" gap="sm" mb="sm">
        {merges.map((merge) => (
          <Group key={merge.entity_id} component="li" justify="space-between" wrap="nowrap">
            <div>
              <Text fz="md" fw={580}>
                {merge.artist} – {merge.title}
              </Text>
              <Text fz="xs" c="var(--text-2)">
                {describeMerge(merge)}
              </Text>
              {merge.blocked_reason && (
                <Text fz="xs" c="var(--warn)">
                  {merge.blocked_reason}
                </Text>
              )}
            </div>
            <Button
              variant="default"
              size="xs"
              loading={isPending && variables.entity_id === merge.entity_id}
              disabled={isPending || merge.blocked_reason !== ''}
              aria-label={format(texts.undoMergeOf, { title: merge.title })}
              onClick={() => mutate({ entity_id: merge.entity_id }, { onSuccess: onUndone })}
            >
              {texts.undoMerge}
            </Button>
          </Group>
        ))}
      </Stack>
      <Text fz="sm" c="var(--text-2)">
        {texts.theSongGetsBackIts}
      </Text>
      <FormMessages messages={error ? messagesOf(error) : []} />
    </Input.Wrapper>
  )
}

function describeMerge({ entity_id, versions, merged_at, merged_by }: Preview['merges'][number]): string {
  const time = formatExactDate(merged_at)
  const mergedText = merged_by
    ? format(texts.mergedBy, { time, by: merged_by.dj_name })
    : format(texts.merged, { time })
  return `#${entity_id} · ${format(texts.versionCount, { n: versions.length })} · ${mergedText}`
}

/** Why these versions cannot become a song of their own; '' if they can. */
function findProblem(versions: Preview['versions'], versionIds: readonly number[]): string {
  if (versionIds.length === 0) return texts.selectTheVersionsForThe
  const staying = versions.filter(({ song_version_id }) => !versionIds.includes(song_version_id))
  if (staying.length === 0) return texts.leaveAtLeastOneVersion
  const isListed = versions.some(({ is_listed }) => is_listed)
  return isListed && !staying.some(({ is_listed }) => is_listed) ? texts.leaveAtLeastOnePublished : ''
}
