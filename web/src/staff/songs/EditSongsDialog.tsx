import { corrections } from '@dubplate/contract'
import { editSongs } from '@dubplate/contract/schemas/corrections'
import { Box, Checkbox, Group, List, NativeSelect, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ActionDialog } from '../../admin/ActionDialog.tsx'
import { format } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { messagesOf, type ResourceFormState, useResourceForm } from '../../platform/useResourceForm.ts'
import { SECTION_CHOICES, sectionName } from '../uploads/uploadStates.ts'
import { GenreBoxes } from './GenreBoxes.tsx'
import { applyOutcome, type NamedSong, toastWithUndo } from './songActions.ts'
import { FIELD_NAMES, MAX_LENGTHS, type TextField } from './songFields.ts'
import * as texts from './texts.ts'

/** Fields that can be set on several songs: a title or an ISRC belongs to a single song. */
const FIELDS = ['artist', 'album', 'label', 'remixer', 'year', 'bpm', 'song_key'] as const satisfies TextField[]

const GENRE_CHANGES = { add: texts.add, take: texts.remove, replace: texts.replaceWith } as const

type Values = Record<(typeof FIELDS)[number], string> & {
  /** The fields that are set; an empty one is cleared. */
  chosen: readonly string[]
  song_section_id: string
  how: keyof typeof GENRE_CHANGES | ''
  genres: number[]
}

const NO_CHANGE: Values = {
  ...{ artist: '', album: '', label: '', remixer: '', year: '', bpm: '', song_key: '' },
  ...{ chosen: [], song_section_id: '', how: '', genres: [] },
}

const textChange = ({ chosen, song_section_id, how, genres, ...fields }: Values): corrections.SongChange => ({
  ...Object.fromEntries(Object.entries(fields).filter(([field]) => chosen.includes(field))),
  ...(song_section_id && { song_section_id: Number(song_section_id) }),
  ...(how && genres.length > 0 && { genres: { how, genre_ids: genres } }),
})

const PREVIEW_DELAY_MS = 350

/** What a change would do, a moment after the last input; undefined while nothing is chosen. */
function usePreview(songs: readonly NamedSong[], change: corrections.SongChange) {
  const [settled] = useDebouncedValue(JSON.stringify(change), PREVIEW_DELAY_MS)
  const isChosen = Object.keys(change).length > 0
  const { data, error } = useApiQuery(
    corrections.editSongs,
    { songs: [...songs], change: JSON.parse(settled), preview: true },
    { enabled: isChosen && settled !== '{}' },
  )
  const isSettled = settled === JSON.stringify(change)
  return { isChosen, outcome: isChosen && isSettled ? data : undefined, error: isSettled ? error : null }
}

type Props = { songs: readonly NamedSong[]; onClose: () => void; onDone: (outcome: corrections.Outcome) => void }

/** Sets one or more values on all selected songs, and first says how many songs that changes. */
export function EditSongsDialog({ songs, onClose, onDone }: Props) {
  /** What was done, if some songs could not be changed. */
  const [result, setResult] = useState<corrections.Outcome>()
  const form = useResourceForm({
    call: editSongs,
    values: NO_CHANGE,
    toInput: (values) => ({ songs: [...songs], change: textChange(values) }),
    fieldNames: (path) => path.split('.')[1] ?? path,
    save: async (send) => applyOutcome(await send()),
    onSaved: (outcome) => {
      toastWithUndo(resultText(outcome), outcome.song_edit_id)
      onDone(outcome)
      if (outcome.left.length === 0) onClose()
      else setResult(outcome)
    },
  })
  const { how, genres } = form.values
  const { isChosen, outcome, error } = usePreview(songs, textChange(form.values))
  const changed = outcome?.changed ?? 0
  return (
    <ActionDialog
      title={format(texts.editSongs, { count: songs.length })}
      form={form}
      actionLabel={changed ? format(texts.updateSongs, { changed }) : texts.update}
      isDisabled={!changed || result !== undefined}
      closeLabel={result ? texts.close : texts.cancel}
      onClose={onClose}
    >
      <Box component="fieldset" bd={0} p={0} m={0}>
        <legend className="sr">{texts.details}</legend>
        {FIELDS.map((field) => (
          <FieldChange key={field} {...{ form, field }} />
        ))}
      </Box>
      <NativeSelect
        label={texts.section}
        data={[
          { value: '', label: texts.noChange },
          ...SECTION_CHOICES.map((choice) => ({ value: String(choice), label: sectionName(choice) })),
        ]}
        {...form.field('song_section_id')}
      />
      <NativeSelect
        label={texts.genresAndMoods}
        data={[
          { value: '', label: texts.noChange },
          ...Object.entries(GENRE_CHANGES).map(([value, label]) => ({ value, label })),
        ]}
        {...form.field('how')}
      />
      {how && (
        <GenreBoxes legend={GENRE_CHANGES[how]} chosen={genres} onChange={(genres) => form.setValues({ genres })} />
      )}
      <div>
        <Text role="status">
          {result
            ? resultText(result)
            : error
              ? messagesOf(error).join(' ')
              : outcome
                ? previewText(outcome)
                : isChosen
                  ? texts.loading
                  : texts.chooseTheFieldsToChange}
        </Text>
        <SkippedSongs left={(result ?? outcome)?.left ?? []} />
      </div>
    </ActionDialog>
  )
}

type FieldProps = { form: ResourceFormState<Values>; field: (typeof FIELDS)[number] }

/** A field that is set on all songs once its box is ticked, or something is typed in it. */
function FieldChange({ form, field }: FieldProps) {
  const others = form.values.chosen.filter((each) => each !== field)
  const isChosen = form.values.chosen.includes(field)
  return (
    <Group wrap="nowrap" align="flex-start" mb="xs">
      <Checkbox
        w={104}
        pt={8}
        label={FIELD_NAMES[field]}
        checked={isChosen}
        onChange={({ currentTarget: { checked } }) =>
          form.setValues(checked ? { chosen: [...others, field] } : { chosen: others, [field]: '' })
        }
      />
      <TextInput
        flex={1}
        aria-label={format(texts.forAllSelectedSongs, { field: FIELD_NAMES[field] })}
        placeholder={isChosen ? texts.leaveEmptyToClear : texts.noChange}
        maxLength={MAX_LENGTHS[field]}
        autoComplete="off"
        {...form.field(field)}
        onChange={({ currentTarget: { value } }) => form.setValues({ chosen: [...others, field], [field]: value })}
      />
    </Group>
  )
}

const MAX_SKIPPED = 20

/** Which songs cannot be changed, and why. */
const SkippedSongs = ({ left }: Pick<corrections.Outcome, 'left'>) =>
  left.length > 0 && (
    <List size="sm">
      {left.slice(0, MAX_SKIPPED).map(({ entity_id, title, message }) => (
        <List.Item key={entity_id}>
          <b>{title || format(texts.songNumber, { entity_id })}</b> {message}
        </List.Item>
      ))}
      {left.length > MAX_SKIPPED && (
        <List.Item>{format(texts.moreSongs, { length: left.length - MAX_SKIPPED })}</List.Item>
      )}
    </List>
  )

const sentence = (...parts: (string | false)[]) => parts.filter(Boolean).join(' ')

const resultText = ({ changed, same, left }: corrections.Outcome) =>
  sentence(
    format(texts.songsUpdated, { changed }),
    same > 0 && format(texts.songsAlreadyUpToDate, { same }),
    left.length > 0 && format(texts.songsNotChanged, { count: left.length }),
  )

const previewText = ({ changed, same, left }: corrections.Outcome) =>
  sentence(
    format(texts.songsWillBeUpdated, { changed }),
    same > 0 && format(texts.songsAlreadyUpToDate, { same }),
    left.length > 0 && format(texts.songsCantBeUpdated, { count: left.length }),
  )
