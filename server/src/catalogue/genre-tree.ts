import { catalogue, type genreTree } from '@dubplate/contract'
import { ApiError, fieldError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { generatedImage, storedImage } from './images.ts'

/** Genres and moods as curators manage them: a tree of two levels. */

type GenreRow = Omit<genreTree.StaffGenre, 'image' | 'has_picture' | 'followers'> & {
  artwork: string | null
  position: number
}
export type Genre = Omit<genreTree.StaffGenre, 'followers'>

const { SECTIONS } = catalogue

/**
 * The operator's order: genres before moods, each main genre before its sub-genres. Of genre `g` and its parent `up`.
 */
export const treeOrder = (sql: Sql) => sql`
  g.kind = 'mood', coalesce(up.position, g.position), coalesce(up.genre_id, g.genre_id), up.genre_id is not null, g.position, g.genre_id`

/** The whole tree, in the operator's order. */
export async function readGenreTree(sql: Sql): Promise<Genre[]> {
  const rows = await sql<GenreRow[]>`
    select g.genre_id, g.parent_id, g.kind, g.name, g.description, g.home_chip, g.version, g.position, encode(a.sha256, 'hex') as artwork,
      coalesce((select songs from genre_counter c where c.genre_id = g.genre_id and song_section_id = ${SECTIONS.songs}), 0) as songs,
      coalesce((select songs from genre_counter c where c.genre_id = g.genre_id and song_section_id = ${SECTIONS.kuts}), 0) as kuts,
      (select count(*)::int from song_genre sg where sg.genre_id = g.genre_id and listed_section is null) as unpublished,
      array(select distinct name from genre_alias f where f.genre_id = g.genre_id order by name) as former_names
    from genre g left join genre up on up.genre_id = g.parent_id left join artwork a on a.artwork_id = g.artwork_id
    order by ${treeOrder(sql)}`
  return rows.map(({ artwork, position: _, ...genre }) => ({
    ...genre,
    image: genreImage({ ...genre, artwork }),
    has_picture: artwork !== null,
  }))
}

/** The image of a genre: the uploaded one, or a generated one. */
export const genreImage = ({ genre_id, name, artwork }: { genre_id: number; name: string; artwork: string | null }) =>
  artwork ? storedImage(artwork) : generatedImage('genre', genre_id, name)

const NO_SUCH_GENRE = 'This genre no longer exists.'

/** Throws `unknown_genre`. */
export function findGenreIn(tree: readonly Genre[], genreId: number): Genre {
  const found = tree.find(({ genre_id }) => genre_id === genreId)
  if (!found) throw new ApiError('unknown_genre', NO_SUCH_GENRE)
  return found
}

/**
 * Changes to the tree are small and rare, so each locks the whole tree, which keeps its rules valid for simultaneous
 * changes.
 */
export async function holdTree(sql: Sql): Promise<Genre[]> {
  await sql`lock table genre in share row exclusive mode`
  return readGenreTree(sql)
}

export const mainGenreOf = (tree: readonly Genre[], { parent_id }: Pick<Genre, 'parent_id'>): Genre | undefined =>
  tree.find(({ genre_id }) => genre_id === parent_id)

export const descendantsOf = (tree: readonly Genre[], genreId: number): Genre[] =>
  tree.filter(({ parent_id }) => parent_id === genreId)

/** Throws `conflict`. */
export function rejectChanged(genre: Genre, version: number | undefined): void {
  if (genre.version === version) return
  throw new ApiError(
    'conflict',
    `Someone else changed this ${genre.kind}; it’s now named “${genre.name}”. Reload to see the changes.`,
  )
}

type GenreName = Pick<Genre, 'name' | 'kind' | 'parent_id'> & { genre_id?: number | undefined }

/** Throws `name_taken` if another genre with the same parent has this name, ignoring case. */
export function rejectTaken(tree: readonly Genre[], { name, kind, parent_id, genre_id }: GenreName): void {
  const beside = tree.filter((one) => one.kind === kind && one.parent_id === parent_id && one.genre_id !== genre_id)
  if (beside.some((one) => one.name.toLowerCase() === name.toLowerCase()))
    throw fieldError(
      'name_taken',
      'name',
      `A ${kind} named “${name}” already exists here. Merge the two or choose another name.`,
    )
}

/** Throws `nesting_too_deep` or `unknown_genre`: there are two levels, each of one kind. */
export function rejectTooDeep(tree: readonly Genre[], { kind, parent_id, genre_id }: Omit<GenreName, 'name'>): void {
  if (parent_id === null) return
  const parent = tree.find((one) => one.genre_id === parent_id)
  if (!parent) throw fieldError('unknown_genre', 'parent_id', NO_SUCH_GENRE)
  if (parent.parent_id !== null || parent_id === genre_id)
    throw fieldError(
      'nesting_too_deep',
      'parent_id',
      `A sub-${kind} can’t have a sub-${kind} of its own. Choose a main ${kind} as the parent.`,
    )
  if (parent.kind !== kind)
    throw fieldError('nesting_too_deep', 'parent_id', `The parent of a sub-${kind} must be a ${kind}.`)
  if (genre_id !== undefined && descendantsOf(tree, genre_id).length > 0)
    throw fieldError('nesting_too_deep', 'parent_id', `This ${kind} has sub-${kind}s. Move them first.`)
}
