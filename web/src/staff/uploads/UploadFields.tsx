import { type review, uploadedSongs } from '@dubplate/contract'
import { Card, SimpleGrid, Stack, Text } from '@mantine/core'
import { useApiQuery } from '../../platform/queries.ts'
import { Field } from '../../uploads/Field.tsx'
import { SlotWave } from '../../uploads/SlotWave.tsx'
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
        <Field key={path} label={label} path={path} fieldError={fieldErrors[path]} source={sources[path]}>
          {(control) => (
            <input
              {...control}
              maxLength={maxLength}
              autoComplete="off"
              value={values[path]}
              onChange={({ currentTarget }) => onChange(withValue(entry, { [path]: currentTarget.value }))}
            />
          )}
        </Field>
      ))}
      <Field label={texts.section} path="song_section_id">
        {(control) => (
          <select
            {...control}
            value={entry.section}
            onChange={({ currentTarget }) => onChange({ ...entry, section: Number(currentTarget.value) })}
          >
            {SECTION_CHOICES.map((section) => (
              <option key={section} value={section}>
                {sectionName(section)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={texts.expires} path="expire_date" fieldError={fieldErrors.expire_date}>
        {(control) => (
          <input
            {...control}
            type="date"
            value={values.expire_date}
            onChange={({ currentTarget }) => onChange(withValue(entry, { expire_date: currentTarget.value }))}
          />
        )}
      </Field>
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
        const startError = fieldErrors[`${slot.key}.start`]
        return (
          saved && (
            <Card key={slot.key} component="li" padding="md" aria-label={saved.name}>
              <Stack gap="sm">
                <VersionName
                  slot={slot}
                  fieldError={fieldErrors[`${slot.key}.version_id`]}
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
      <Field label={texts.version} path="version_id" fieldError={isCustom ? undefined : fieldError}>
        {(control) => (
          <select
            {...control}
            value={data ? slot.version_id : ''}
            onChange={({ currentTarget }) => onChange({ version_id: Number(currentTarget.value), new_label: '' })}
          >
            {!data && <option value="">…</option>}
            {data?.versions.map(({ version_id, name }) => (
              <option key={version_id} value={version_id}>
                {name}
              </option>
            ))}
            <option value={0}>{texts.customName}</option>
          </select>
        )}
      </Field>
      {isCustom && (
        <Field label={texts.versionName} path="new_label" fieldError={fieldError}>
          {(control) => (
            <input
              {...control}
              maxLength={60}
              autoComplete="off"
              value={slot.new_label}
              onChange={({ currentTarget }) => onChange({ new_label: currentTarget.value })}
            />
          )}
        </Field>
      )}
    </SimpleGrid>
  )
}
