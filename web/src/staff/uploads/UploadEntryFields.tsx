import { type review, uploadedSongs } from '@dubplate/contract'
import { useApiQuery } from '../../platform/queries.ts'
import { Field, fieldStyles } from '../../uploads/Field.tsx'
import { SlotWave } from '../../uploads/SlotWave.tsx'
import type { FieldErrors, FormSlot } from '../../uploads/songForm.ts'
import * as texts from './texts.ts'
import css from './UploadEdit.module.css'
import { type Entry, withValue } from './uploadForm.ts'
import { SECTION_CHOICES, sectionName } from './uploadStates.ts'

type PartProps = { entry: Entry; wrong: FieldErrors; onChange: (entry: Entry) => void }

const TEXTS = [
  { path: 'title', label: texts.title, longest: 300 },
  { path: 'artist', label: texts.artist, longest: 300 },
  { path: 'year', label: texts.year, longest: 4 },
  { path: 'bpm', label: texts.bpm, longest: 12 },
  { path: 'song_key', label: texts.key, longest: 8 },
] as const

/** Text fields for the values of a song. */
export function EntryTexts({ entry, wrong, onChange }: PartProps) {
  const { values, sources } = entry.form
  return (
    <div className={css.texts}>
      {TEXTS.map(({ path, label, longest }) => (
        <div key={path} data-field={path}>
          <Field label={label} path={path} fieldError={wrong[path]} source={sources[path]}>
            {(field) => (
              <input
                {...field}
                maxLength={longest}
                autoComplete="off"
                value={values[path]}
                onChange={({ currentTarget }) => onChange(withValue(entry, { [path]: currentTarget.value }))}
              />
            )}
          </Field>
        </div>
      ))}
      <Field label={texts.section} path="song_section_id">
        {(field) => (
          <select
            {...field}
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
      <Field label={texts.expires} path="expire_date" fieldError={wrong.expire_date}>
        {(field) => (
          <input
            {...field}
            type="date"
            value={values.expire_date}
            onChange={({ currentTarget }) => onChange(withValue(entry, { expire_date: currentTarget.value }))}
          />
        )}
      </Field>
    </div>
  )
}

/** The name of each version, and where its preview starts. */
export function EntryVersions({ whole, entry, wrong, onChange }: PartProps & { whole: review.ReviewedSong }) {
  const change = (at: FormSlot, change: Partial<FormSlot>) => {
    const slots = entry.form.slots.map((slot) => (slot.key === at.key ? { ...slot, ...change } : slot))
    onChange({ ...entry, form: { ...entry.form, slots } })
  }
  return (
    <ol className={css.slots} aria-label={texts.versions}>
      {entry.form.slots.map((slot) => {
        const saved = whole.versions.find(({ song_version_id }) => song_version_id === slot.song_version_id)
        return (
          saved && (
            <li key={slot.key} aria-label={saved.name}>
              <VersionName slot={slot} wrong={wrong[`${slot.key}.version_id`]} onChange={(it) => change(slot, it)} />
              {saved.file.peaks && (
                <SlotWave
                  file={saved.file}
                  name={saved.name}
                  start_seconds={slot.start_seconds}
                  onStart={(start_seconds) => change(slot, { start_seconds })}
                />
              )}
              {wrong[`${slot.key}.start`] && <p className={fieldStyles.wrong}>{wrong[`${slot.key}.start`]}</p>}
            </li>
          )
        )
      })}
    </ol>
  )
}

type NameProps = { slot: FormSlot; wrong: string | undefined; onChange: (change: Partial<FormSlot>) => void }

/** The type of a version, or a custom label. */
function VersionName({ slot, wrong, onChange }: NameProps) {
  const { data } = useApiQuery(uploadedSongs.getVersions, {})
  const isOwn = slot.version_id === 0
  return (
    <div className={css.name}>
      <Field label={texts.version} path="version_id" fieldError={isOwn ? undefined : wrong}>
        {(field) => (
          <select
            {...field}
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
      {isOwn && (
        <Field label={texts.versionName} path="new_label" fieldError={wrong}>
          {(field) => (
            <input
              {...field}
              maxLength={60}
              autoComplete="off"
              value={slot.new_label}
              onChange={({ currentTarget }) => onChange({ new_label: currentTarget.value })}
            />
          )}
        </Field>
      )}
    </div>
  )
}
