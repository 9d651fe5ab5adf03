import { mergeGenre } from '@dubplate/contract/schemas/genre-tree'
import { NativeSelect, Text } from '@mantine/core'
import { ActionDialog } from '../../admin/ActionDialog.tsx'
import { format } from '../../format/message.ts'
import { refreshReplies } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { type Genre, LISTS } from './genres.ts'
import * as texts from './texts.ts'

type Props = { genre: Genre; genres: readonly Genre[]; onClose: () => void }

/** Merges a genre or mood into another one: songs, sub-genres, followers and address are moved to it. */
export function GenreMerge({ genre, genres, onClose }: Props) {
  const { genre_id, version, name } = genre
  const nameOf = (id: string) => genres.find((each) => String(each.genre_id) === id)?.name
  const form = useResourceForm({
    call: mergeGenre,
    values: { into_genre_id: '' },
    toInput: ({ into_genre_id }) => ({ genre_id, version, into_genre_id: Number(into_genre_id) }),
    validate: ({ into_genre_id }) => ({ into_genre_id: into_genre_id ? undefined : texts.chooseAGenreToMerge }),
    success: (_, { into_genre_id }) => ({
      message: format(texts.genreMergedInto, { name, name2: nameOf(String(into_genre_id)) ?? '' }),
    }),
    // If someone else has changed the genre, the next attempt sends its new version.
    save: (send) => send().finally(() => refreshReplies(LISTS)),
    onSaved: onClose,
  })
  const into = nameOf(form.values.into_genre_id)
  const n = genre.songs + genre.kuts + genre.unpublished
  const targets = genres.filter((each) => each.genre_id !== genre_id && each.parent_id !== genre_id)
  return (
    <ActionDialog
      title={format(texts.mergeGenreTitle, { name })}
      text={n > 0 && format(texts.songsUseThisGenreTo, { n })}
      form={form}
      actionLabel={texts.merge}
      onClose={onClose}
    >
      <NativeSelect
        label={texts.mergeInto}
        data-autofocus
        data={[
          { value: '', label: texts.choose },
          ...targets.map(({ genre_id, parent_id, name }) => ({
            value: String(genre_id),
            label: parent_id === null ? name : `\u00a0\u00a0${name}`,
          })),
        ]}
        {...form.field('into_genre_id')}
      />
      <Text fz="md" c="var(--text-2)">
        {into
          ? format(texts.everythingMovesTo, { name, target: into })
          : format(texts.everythingMovesToTheOther, { name })}
      </Text>
    </ActionDialog>
  )
}
