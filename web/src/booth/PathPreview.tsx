import { MAX_WINDOWS_PATH } from '@dubplate/contract/schemas/file-paths'
import { Stack, Text, Title } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useDeferredValue, useId } from 'react'
import { format } from '../format/message.ts'
import css from './Booth.module.css'
import type { ProfileValues } from './newProfile.ts'
import { exampleVersions, type PreviewedPath, previewPaths } from './pathPreview.ts'
import * as texts from './texts.ts'

/** The paths of example songs, and what was changed in their names. */
export function PathPreview({ values }: { values: ProfileValues }) {
  const id = useId()
  const profile = useDeferredValue(values)
  const paths = previewPaths(profile, exampleVersions(profile.format))
  return (
    <section className={css.preview} aria-labelledby={id}>
      <div>
        <Title order={3} id={id} fz="md">
          {texts.preview}
        </Title>
        <Text fz="sm" c="var(--text-2)">
          {texts.previewHint}
        </Text>
      </div>
      <Stack component="ul" gap="md" aria-labelledby={id}>
        {paths.map((path) => (
          <li key={path.version.artist}>
            <code className={css.path}>{path.absolute}</code>
            {notesOf(path).map((note) => (
              <p key={note} className={css.note}>
                <IconInfoCircle size={14} aria-hidden />
                {note}
              </p>
            ))}
          </li>
        ))}
      </Stack>
    </section>
  )
}

const notesOf = ({ replaced, isNameShortened, isPathShortened, isNumbered }: PreviewedPath): string[] => [
  ...(replaced.length > 0 ? [format(texts.charactersReplaced, { characters: replaced.join(' ') })] : []),
  ...(isNameShortened ? [texts.nameShortened] : []),
  ...(isPathShortened ? [format(texts.pathShortened, { max: MAX_WINDOWS_PATH })] : []),
  ...(isNumbered ? [texts.numberAdded] : []),
]
