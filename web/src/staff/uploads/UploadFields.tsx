import { type review, uploadedSongs } from '@dubplate/contract'
import { Card, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useApiQuery } from '../../platform/queries.ts'
import { songField } from '../../uploads/Field.tsx'
import { SlotWave } from '../../uploads/FileWave.tsx'
import type { FieldErrors, FormSlot } from '../../uploads/songForm.ts'
import * as texts from './texts.ts'
import { type Entry, withValue } from './uploadForm.ts'
import { SECTION_CHOICES, sectionName } from './uploadStates.ts'

type Props = { entry: Entry; fieldErrors: FieldErrors; onChange: (entry: Entry) => void }

const TEXT_FIELDS = [
  { path: 'title', label: texts.title, maxLength: 300 },
  { path: 'artist', label: texts.artist, maxLength: 300 },
  { path: 'year', label: texts.year, maxLength: 4 },
  { path: 'bpm', label: texts.bpm, maxLength: 12 },
  { path: 'song_key', label: texts.key, maxLength: 8 },
] as const

/** The values of a song, each with its source. */
export function SongFields({ entry, fieldErrors, onChange }: Props) {
  const { values, sources } = entry.form
  return (
    <SimpleGrid cols={2} spacing="md" verticalSpacing="md">
      {TEXT_FIELDS.map(({ path, label, maxLength }) => (
        <TextInput
          key={path}
          label={label}
          {...songField(path, fieldErrors[`values.${path}`], sources[path])}
          maxLength={maxLength}
          value={values[path]}
          onChange={({ currentTarget }) => onChange(withValue(entry, { [path]: currentTarget.value }))}
        />
      ))}
      <NativeSelect
        label={texts.section}
        name="song_section_id"
        data={SECTION_CHOICES.map((section) => ({ value: `${section}`, label: sectionName(section) }))}
        value={entry.section}
        onChange={({ currentTarget }) => onChange({ ...entry, section: Number(currentTarget.value) })}
      />
      <TextInput
        label={texts.expires}
        {...songField('expire_date', fieldErrors['values.expire_date'])}
        type="date"
        value={values.expire_date}
        onChange={({ currentTarget }) => onChange(withValue(entry, { expire_date: currentTarget.value }))}
      />
    </SimpleGrid>
  )
}

/** The name of each version, and where its preview starts. */
export function VersionFields({ upload, entry, fieldErrors, onChange }: Props & { upload: review.ReviewedSong }) {
  const changeSlot = (changed: FormSlot, change: Partial<FormSlot>) => {
    const slots = entry.form.slots.map((slot) => (slot.key === changed.key ? { ...slot, ...change } : slot))
    onChange({ ...entry, form: { ...entry.form, slots } })
  }
  return (
    <Stack component="ol" gap="md" aria-label={texts.versions}>
      {entry.form.slots.map((slot) => {
        const saved = upload.versions.find(({ song_version_id }) => song_version_id === slot.song_version_id)
        const startError = fieldErrors[`slots.${slot.key}.start`]
        return (
          saved && (
            <Card key={slot.key} component="li" padding="md" aria-label={saved.name}>
              <Stack gap="sm">
                <VersionName
                  slot={slot}
                  fieldError={fieldErrors[`slots.${slot.key}.version_id`]}
                  onChange={(change) => changeSlot(slot, change)}
                />
                {saved.file.peaks && (
                  <SlotWave
                    file={saved.file}
                    name={saved.name}
                    start_seconds={slot.start_seconds}
                    onStart={(start_seconds) => changeSlot(slot, { start_seconds })}
                  />
                )}
                {startError && (
                  <Text size="sm" c="var(--danger)">
                    {startError}
                  </Text>
                )}
              </Stack>
            </Card>
          )
        )
      })}
    </Stack>
  )
}

type NameProps = { slot: FormSlot; fieldError: string | undefined; onChange: (change: Partial<FormSlot>) => void }

/** The type of a version, or a custom label. */
function VersionName({ slot, fieldError, onChange }: NameProps) {
  const { data } = useApiQuery(uploadedSongs.getVersions, {})
  const isCustom = slot.version_id === 0
  return (
    <SimpleGrid cols={2} spacing="md">
      <NativeSelect
        label={texts.version}
        name="version_id"
        error={isCustom ? undefined : fieldError}
        errorProps={{ role: 'alert' }}
        data={[
          ...(data?.versions.map(({ version_id, name }) => ({ value: `${version_id}`, label: name })) ?? [
            { value: '', label: '…' },
          ]),
          { value: '0', label: texts.customName },
        ]}
        value={data ? slot.version_id : ''}
        onChange={({ currentTarget }) => onChange({ version_id: Number(currentTarget.value), new_label: '' })}
      />
      {isCustom && (
        <TextInput
          label={texts.versionName}
          {...songField('new_label', fieldError)}
          maxLength={60}
          value={slot.new_label}
          onChange={({ currentTarget }) => onChange({ new_label: currentTarget.value })}
        />
      )}
    </SimpleGrid>
  )
}
