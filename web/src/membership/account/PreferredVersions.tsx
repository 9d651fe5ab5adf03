import '../../styles/mantine-forms.css'
import { account, library, type membership, type ReplyOf } from '@dubplate/contract'
import { Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { changeProfile, useSession } from '../../platform/session.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { toastError } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import { AccountSection } from './AccountSection.tsx'
import { ListRowSkeleton } from './Skeletons.tsx'

type Preference = membership.PreferredVersions
type Kinds = ReplyOf<typeof library.getVersionKinds>

const NONE: Preference = { versions: [], add_all: false, by_genre: [] }
const ID = 'preferred-versions'

let saved = Promise.resolve()

/** Applies a choice at once, and saves one after the other, so that the last one wins. */
function save(preferred_versions: Preference, before: Preference | null) {
  changeProfile({ preferred_versions })
  saved = saved.then(async () => {
    try {
      await callApi(account.savePreferredVersions, preferred_versions)
    } catch (error) {
      changeProfile({ preferred_versions: before })
      void toastError(texts.couldntSaveYourPreferredVersions, error)
    }
  })
}

/** The order in which the versions of a song are preferred, in general and for single genres. */
export function PreferredVersions() {
  const { data, error, refetch } = useApiQuery(library.getVersionKinds, {})
  const ref = useRef<HTMLDivElement>(null)
  // The link to this section is followed before the section is on screen.
  useEffect(() => {
    if (location.hash === `#${ID}`) ref.current?.scrollIntoView()
  }, [])
  return (
    <div ref={ref} id={ID}>
      <AccountSection title={texts.preferredVersions} description={texts.preferredVersionsHint}>
        {data ? (
          <Choices kinds={data} />
        ) : error ? (
          <ErrorState error={error} title={texts.couldntLoadTheVersions} retry={() => void refetch()} />
        ) : (
          <ListRowSkeleton count={3} height_px={44} />
        )}
      </AccountSection>
    </div>
  )
}

function Choices({ kinds }: { kinds: Kinds }) {
  const preference = useSession(({ profile }) => profile?.preferred_versions) ?? null
  const chosen = preference ?? NONE
  const { versions, add_all, by_genre } = chosen
  const change = (changes: Partial<Preference>) => save({ ...chosen, ...changes }, preference)
  const otherGenres = kinds.genres.filter(({ genre_id }) => !by_genre.some((list) => list.genre_id === genre_id))
  return (
    <>
      <VersionList
        label={texts.preferredVersions}
        kinds={kinds}
        versions={versions}
        onChange={(versions) => change({ versions })}
      />
      <Switch checked={add_all} onChange={(add_all) => change({ add_all })} note={texts.addEveryVersionInMyListHint}>
        {texts.addEveryVersionInMyList}
      </Switch>
      {by_genre.map(({ genre_id, versions }) => {
        const others = by_genre.filter((list) => list.genre_id !== genre_id)
        const name = kinds.genres.find((genre) => genre.genre_id === genre_id)?.name ?? texts.deletedGenre
        return (
          <Stack key={genre_id} gap="xs">
            <Group justify="space-between">
              <Title order={3} fz="md">
                {name}
              </Title>
              <IconButton
                label={format(texts.removeTheListFor, { genre: name })}
                onClick={() => change({ by_genre: others })}
              >
                <IconX size={16} />
              </IconButton>
            </Group>
            <VersionList
              label={format(texts.preferredVersionsFor, { genre: name })}
              kinds={kinds}
              versions={versions}
              onChange={(versions) =>
                change({
                  by_genre: by_genre.map((list) => (list.genre_id === genre_id ? { genre_id, versions } : list)),
                })
              }
            />
          </Stack>
        )
      })}
      {otherGenres.length > 0 && (
        <AddSelect
          label={texts.addAListForAGenre}
          choices={otherGenres.map(({ genre_id, name }) => ({ value: String(genre_id), label: name }))}
          onAdd={(value) => change({ by_genre: [...by_genre, { genre_id: Number(value), versions }] })}
        />
      )}
    </>
  )
}

type VersionListProps = {
  label: string
  kinds: Kinds
  versions: string[]
  onChange: (versions: string[]) => void
}

/** Versions in order, each with buttons to move it up or down and to remove it. */
function VersionList({ label, kinds, versions, onChange }: VersionListProps) {
  const list = useRef<HTMLDivElement>(null)
  const moved = useRef<{ code: string; step: number }>(undefined)
  const status = useId()
  const nameOf = (code: string) => kinds.versions.find(({ version_code }) => version_code === code)?.name ?? code
  // The browser removes the focus from a row that moves; at the end, its other button has the focus.
  useLayoutEffect(() => {
    if (!moved.current) return
    const { code, step } = moved.current
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>(`[data-move="${CSS.escape(code)}"]`) ?? [])]
    const button = step < 0 ? buttons[0] : buttons[1]
    ;(button?.disabled ? buttons.find(({ disabled }) => !disabled) : button)?.focus()
    moved.current = undefined
  })
  const move = (index: number, step: number) => {
    const code = versions[index]!
    moved.current = { code, step }
    const place = index + step
    const announcement = document.getElementById(status)
    if (announcement)
      announcement.textContent = format(texts.movedToPosition, {
        name: nameOf(code),
        place: place + 1,
        count: versions.length,
      })
    onChange(versions.toSpliced(index, 1).toSpliced(place, 0, code))
  }
  const remaining = kinds.versions.filter(({ version_code }) => !versions.includes(version_code))
  return (
    <Stack gap="xs" ref={list}>
      {versions.length === 0 && <Text c="var(--text-2)">{texts.noPreferredVersions}</Text>}
      <ol aria-label={label}>
        {versions.map((code, index) => {
          const name = nameOf(code)
          return (
            <Group component="li" key={code} gap={4} wrap="nowrap" mih={40}>
              <Text span inherit className="num" w={24} c="var(--text-3)">
                {index + 1}
              </Text>
              <Text span inherit flex={1} fw={560}>
                {name}
              </Text>
              <IconButton
                label={format(texts.moveUp, { name })}
                data-move={code}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              >
                <IconArrowUp size={16} />
              </IconButton>
              <IconButton
                label={format(texts.moveDown, { name })}
                data-move={code}
                disabled={index === versions.length - 1}
                onClick={() => move(index, 1)}
              >
                <IconArrowDown size={16} />
              </IconButton>
              <IconButton
                label={format(texts.removeVersion, { name })}
                onClick={() => {
                  onChange(versions.filter((other) => other !== code))
                  list.current?.querySelector('select')?.focus()
                }}
              >
                <IconX size={16} />
              </IconButton>
            </Group>
          )
        })}
      </ol>
      <span id={status} className="sr" aria-live="polite" />
      {remaining.length > 0 && (
        <AddSelect
          label={texts.addAVersion}
          choices={remaining.map(({ version_code, name }) => ({ value: version_code, label: name }))}
          onAdd={(code) => onChange([...versions, code])}
        />
      )}
    </Stack>
  )
}

type AddSelectProps = { label: string; choices: { value: string; label: string }[]; onAdd: (value: string) => void }

/** Adds what is chosen, and is empty again. */
const AddSelect = ({ label, choices, onAdd }: AddSelectProps) => (
  <NativeSelect
    aria-label={label}
    value=""
    maw={280}
    data={[{ value: '', label }, ...choices]}
    onChange={({ currentTarget: { value } }) => value && onAdd(value)}
  />
)
