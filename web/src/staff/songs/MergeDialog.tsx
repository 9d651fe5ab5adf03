import { merging } from '@dubplate/contract'
import { Avatar, Group, Input, List, NativeSelect, Radio, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { ActionDialog } from '../../admin/ActionDialog.tsx'
import { formatList } from '../../format/formatList.ts'
import { format } from '../../format/message.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { imageAt } from '../../platform/media.ts'
import { queryClient, useApiQuery } from '../../platform/queries.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { messagesOf } from '../../platform/useResourceForm.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { describeMovedData, describeSong, describeVersion } from './mergeTexts.ts'
import { mergeToast } from './mergeToast.ts'
import * as texts from './texts.ts'
import {
  type Choice,
  type Choices,
  choiceOf,
  findCollision,
  type MergePreview,
  type MergeVersion,
  RESOLUTIONS,
  versionChanges,
} from './versionChoices.ts'

type Props = {
  entityIds: readonly number[]
  onClose: () => void
  /** Called with the id of the remaining song. */
  onDone: (entityId: number) => void
}

/** Merges songs into one, and first shows the effect. */
export const MergeDialog = (props: Props) =>
  props.entityIds.length > merging.MAX_MERGED_SONGS ? (
    <Dialog title={titleOf(props)} onClose={props.onClose}>
      {format(texts.youCanMergeUpTo, { MOST_MERGED: merging.MAX_MERGED_SONGS })}
    </Dialog>
  ) : (
    <MergeForm {...props} />
  )

const titleOf = ({ entityIds }: Props) => format(texts.mergeSongs, { length: entityIds.length })

function MergeForm(props: Props) {
  const { entityIds, onClose, onDone } = props
  const [keptId, setKeptId] = useState<number>()
  const [choices, setChoices] = useState<Choices>({})
  const entity_ids = [...entityIds]
  const preview = useApiQuery(
    merging.getMerge,
    { entity_ids, ...(keptId && { keep_entity_id: keptId }) },
    { keepPrevious: true },
  )
  // Which versions collide depends on the song that is kept, so nothing can be chosen while its preview loads.
  const { data, isPlaceholderData: isStale } = preview
  const { mutate, isPending, error } = useApiMutation(merging.mergeSongs, { success: mergeToast })
  const problem = data && (data.blocked_reason || findCollision(data.versions, choices))
  const merge = () => {
    if (!data || problem || isStale) return
    const { keep_entity_id, versions, state } = data
    mutate(
      { entity_ids, keep_entity_id, versions: versionChanges(versions, choices), state },
      {
        onSuccess: ({ entity_id }) => {
          // A merged song may be in any list.
          void queryClient.invalidateQueries()
          onDone(entity_id)
          onClose()
        },
        onError: () => void preview.refetch(),
      },
    )
  }
  return (
    <ActionDialog
      title={titleOf(props)}
      actionLabel={texts.merge}
      isWide
      isDisabled={!data || isStale || !!problem}
      form={{
        isBusy: isPending,
        messages: problem ? [problem] : error ? messagesOf(error) : [],
        submit: (event) => {
          event?.preventDefault()
          merge()
        },
      }}
      onClose={onClose}
    >
      {data ? (
        <Stack gap="lg" aria-busy={isStale}>
          <SongChoice
            preview={data}
            keptId={keptId ?? data.keep_entity_id}
            onChoose={(entityId) => {
              setKeptId(entityId)
              setChoices({})
            }}
          />
          <VersionChoices
            versions={data.versions}
            choices={choices}
            isDisabled={isStale}
            onChoose={(id, choice) => setChoices({ ...choices, [id]: choice })}
          />
          <Input.Wrapper label={texts.whatMovesToTheRemaining} labelElement="div">
            <List fz="sm" spacing={4} listStyleType="disc">
              {[texts.linksToTheOtherSongs, ...describeMovedData(data.follows)].map((sentence) => (
                <List.Item key={sentence}>{sentence}</List.Item>
              ))}
            </List>
          </Input.Wrapper>
          <Text fz="sm" c="var(--text-2)">
            {texts.youCanUndoAMerge}
          </Text>
        </Stack>
      ) : preview.error ? (
        <InlineError error={preview.error} subject={texts.theseSongs} retry={() => void preview.refetch()} alert />
      ) : (
        <Skeleton h={Math.min(entityIds.length, 6) * 56} aria-busy />
      )}
    </ActionDialog>
  )
}

type SongChoiceProps = { preview: MergePreview; keptId: number; onChoose: (entityId: number) => void }

const SongChoice = ({ preview: { songs }, keptId, onChoose }: SongChoiceProps) => (
  <Radio.Group label={texts.keepThisSong} value={String(keptId)} onChange={(value) => onChoose(Number(value))}>
    <Stack gap="sm" mt="sm">
      {songs.map((song) => (
        <Radio
          key={song.entity_id}
          value={String(song.entity_id)}
          data-autofocus={song.entity_id === keptId || undefined}
          styles={{ body: { alignItems: 'center' } }}
          label={
            <Group gap="md" wrap="nowrap">
              <Avatar src={imageAt(song.image, 96)} alt="" size={44} radius="sm" />
              <div>
                <Text fz="md" fw={580}>
                  {song.title} – {song.artist}
                </Text>
                <Text fz="xs" c="var(--text-2)">
                  #{song.entity_id} {describeSong(song)}
                </Text>
              </div>
            </Group>
          }
        />
      ))}
    </Stack>
  </Radio.Group>
)

type VersionChoicesProps = {
  versions: readonly MergeVersion[]
  choices: Choices
  isDisabled: boolean
  onChoose: (songVersionId: number, choice: Choice) => void
}

function VersionChoices({ versions, choices, isDisabled, onChoose }: VersionChoicesProps) {
  const unchanged = versions
    .filter(({ conflicts_with }) => conflicts_with === null)
    .map(({ version_label, is_listed }) =>
      is_listed ? version_label : format(texts.unpublishedVersion, { version_label }),
    )
  return (
    <Input.Wrapper label={texts.versions} labelElement="div">
      <Stack gap="md">
        {versions
          .filter(({ conflicts_with }) => conflicts_with !== null)
          .map((version) => (
            <DuplicateVersion
              key={version.song_version_id}
              version={version}
              other={versions.find(({ song_version_id }) => song_version_id === version.conflicts_with)}
              choice={choiceOf(choices, version)}
              isDisabled={isDisabled}
              onChoose={(choice) => onChoose(version.song_version_id, choice)}
            />
          ))}
        {unchanged.length > 0 && <Text fz="sm">{format(texts.unchanged, { versions: formatList(unchanged) })}</Text>}
      </Stack>
    </Input.Wrapper>
  )
}

type DuplicateVersionProps = {
  version: MergeVersion
  other: MergeVersion | undefined
  choice: Choice
  isDisabled: boolean
  onChoose: (choice: Choice) => void
}

/** Two versions with the same name: both are kept, or one of them is unpublished. */
function DuplicateVersion({ version, other, choice, isDisabled: disabled, onChoose }: DuplicateVersionProps) {
  const name = useRef<HTMLInputElement>(null)
  const label = version.version_label
  const describe = (text: string, version: MergeVersion) =>
    format(text, { details: describeVersion(version), entity_id: version.entity_id })
  return (
    <Group justify="space-between" role="group" aria-label={format(texts.duplicateVersion, { label })}>
      <Text component="div" fz="sm" c="var(--text-2)">
        <Text fz="md" c="var(--text)">
          {format(texts.duplicate, { label })}
        </Text>
        <div>{describe(texts.thisOneSong, version)}</div>
        {other && <div>{describe(texts.otherSong, other)}</div>}
        {version.is_same_audio && <div>{texts.identicalAudio}</div>}
      </Text>
      <Stack gap="sm" w={{ base: '100%', sm: 260 }}>
        <NativeSelect
          disabled={disabled}
          aria-label={format(texts.whatToDoWithThe, { label })}
          value={choice.resolution}
          data={Object.entries(RESOLUTIONS).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => {
            const resolution = currentTarget.value as Choice['resolution']
            onChoose({ ...choice, resolution })
            if (resolution === 'both') requestAnimationFrame(() => name.current?.focus())
          }}
        />
        {choice.resolution === 'both' && (
          <TextInput
            ref={name}
            disabled={disabled}
            aria-label={format(texts.nameForTheSecond, { label })}
            maxLength={60}
            autoComplete="off"
            value={choice.label}
            onChange={({ currentTarget }) => onChoose({ resolution: 'both', label: currentTarget.value })}
          />
        )}
      </Stack>
    </Group>
  )
}
