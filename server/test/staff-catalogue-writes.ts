import {
  beatGrids,
  corrections,
  curatedGenres,
  curation,
  genreTree,
  imports,
  merchandise,
  merging,
  reanalyses,
  review,
  trending,
} from '@dubplate/contract'
import { processNextRun } from '../src/imports/import-worker.ts'
import { aGenre, aSong } from './makers.ts'
import { aPicture, type StaffContext } from './staff-context.ts'
import { aReviewedUpload } from './staff-uploads.ts'
import { type Write, write, writeForm } from './staff-writes.ts'
import { inProcessAnalyser } from './upload-makers.ts'

let count = 0
const unique = (name: string) => `${name} ${++count}`
const reason = 'Asked for it'

const aListedSong = async ({ pool }: StaffContext, versions = ['Clean']) => {
  const { entity_id, versionIds } = await aSong(pool.ctx, { versions })
  return { entity_id, versionIds, named: { entity_id, revision: 1 } }
}

const aList = async ({ pool, ask }: StaffContext, publication: 'draft' | 'now') => {
  const { entity_id } = await aSong(pool.ctx)
  const options = { kind: 'spotlight' as const, title: unique('List'), entity_ids: [entity_id], publication }
  const { list_id, version } = (await ask(curation.saveList, options)).list
  return { kind: 'spotlight' as const, list_id, version }
}

const aCuratedGenre = async ({ ask }: StaffContext) =>
  (await ask(curatedGenres.saveGenre, { title: unique('Mood') })).genre.curated_genre_id

const aProduct = async ({ ask }: StaffContext) =>
  (await ask(merchandise.saveProduct, { title: unique('Bag'), url: 'https://shop.example/bag' })).product.product_id

async function mergedSongs({ pool, ask }: StaffContext) {
  const [keep, deleted] = [await aSong(pool.ctx), await aSong(pool.ctx, { versions: ['Dirty'] })]
  const ids = { entity_ids: [keep.entity_id, deleted.entity_id], keep_entity_id: keep.entity_id }
  const { state } = await ask(merging.getMerge, ids)
  return { gone: deleted.entity_id, input: { ...ids, versions: [], state } }
}

const anImport = async ({ ask, importFolder }: StaffContext) => {
  const { import_run_id } = (await ask(imports.startImport, { folder: importFolder })).import
  return { import_run_id }
}

const { signal } = new AbortController()

/** An import of one file whose preview is done. */
async function aPlannedImport(context: StaffContext) {
  const planned = await anImport(context)
  const worker = { analyser: inProcessAnalyser, jobs: 1, childPath: '', signal }
  while (await processNextRun(context.pool.ctx, worker));
  return planned
}

const file = () => ({ path: `${unique('Track')}.wav`, bytes: 10, sha256: String(++count).padStart(64, '0') })

/** An import that a browser sends, with one announced file. */
async function aSentImport({ ask }: StaffContext) {
  const { import_run_id } = (await ask(imports.createUploadImport, { folder: 'Crate' })).import
  const { files } = await ask(imports.registerFiles, { import_run_id, files: [file()] })
  return { import_run_id, import_file: files[0]?.n ?? 0 }
}

const aCorrection = ({ versionIds }: { versionIds: number[] }) => ({
  ...{ song_version_id: versionIds[0] ?? 0, bpm: 124, first_downbeat_seconds: 0.5, cues: [] },
})

async function aCorrectedGrid(context: StaffContext) {
  const correction = aCorrection(await aListedSong(context))
  await context.ask(beatGrids.correctGrid, correction)
  return correction
}

/** Staff endpoints for the catalogue that leave an entry in the audit log. */
export const CATALOGUE_AUDITED: Write[] = [
  write(beatGrids.correctGrid, async (context) => aCorrection(await aListedSong(context))),
  write(beatGrids.removeCorrection, async (context) => {
    const { song_version_id } = await aCorrectedGrid(context)
    return { song_version_id }
  }),
  write(corrections.editSong, async (context) => ({
    ...(await aListedSong(context)).named,
    change: { title: unique('Corrected') },
  })),
  write(corrections.editSongs, async (context) => ({
    songs: [(await aListedSong(context)).named],
    change: { album: unique('Album') },
  })),
  write(corrections.unpublishSongs, async (context) => ({ songs: [(await aListedSong(context)).named], reason })),
  write(corrections.restoreSongs, async (context) => {
    const { named } = await aListedSong(context)
    const { songs } = await context.ask(corrections.unpublishSongs, { songs: [named], reason })
    return { songs: songs.map(({ entity_id, revision }) => ({ entity_id, revision })) }
  }),
  write(corrections.unpublishVersion, async (context) => {
    const { named, versionIds } = await aListedSong(context, ['Clean', 'Dirty'])
    return { ...named, song_version_id: versionIds[0] ?? 0, reason }
  }),
  write(corrections.restoreVersion, async (context) => {
    const { named, versionIds } = await aListedSong(context, ['Clean', 'Dirty'])
    const song_version_id = versionIds[0] ?? 0
    const { song } = await context.ask(corrections.unpublishVersion, { ...named, song_version_id, reason })
    return { entity_id: song.entity_id, revision: song.revision, song_version_id }
  }),
  writeForm(corrections.setCover, async (context) => ({
    fields: (await aListedSong(context)).named,
    file: ['picture', await aPicture()],
  })),
  write(corrections.dropCover, async (context) => {
    const { named } = await aListedSong(context)
    const { sql } = context.pool.ctx
    const [artwork] = await sql<{ artwork_id: number }[]>`
      insert into artwork (sha256, width, height) values (${Buffer.alloc(32, ++count)}, 100, 100) returning artwork_id`
    await sql`update song set artwork_id = ${artwork?.artwork_id ?? 0} where entity_id = ${named.entity_id}`
    return named
  }),
  write(corrections.undoEdit, async (context) => {
    const { named } = await aListedSong(context)
    const edit = await context.ask(corrections.editSong, { ...named, change: { title: unique('Corrected') } })
    return { song_edit_id: edit.song_edit_id ?? 0 }
  }),
  write(curatedGenres.saveGenre, async () => ({ title: unique('Mood') })),
  write(curatedGenres.orderGenres, async (context) => {
    await aCuratedGenre(context)
    const { genres } = await context.ask(curatedGenres.getGenres, {})
    return { curated_genre_ids: genres.map(({ curated_genre_id }) => curated_genre_id) }
  }),
  write(curatedGenres.removeGenre, async (context) => ({ curated_genre_id: await aCuratedGenre(context) })),
  write(genreTree.saveGenre, async () => ({ name: unique('Genre') })),
  write(genreTree.moveGenre, async ({ pool }) => ({
    genre_id: await aGenre(pool.ctx, unique('Genre')),
    ...{ parent_id: await aGenre(pool.ctx, unique('Genre')), place: 1, version: 1 },
  })),
  write(genreTree.mergeGenre, async ({ pool }) => ({
    genre_id: await aGenre(pool.ctx, unique('Genre')),
    ...{ into_genre_id: await aGenre(pool.ctx, unique('Genre')), version: 1 },
  })),
  write(genreTree.removeGenre, async ({ pool }) => ({
    genre_id: await aGenre(pool.ctx, unique('Genre')),
    version: 1,
  })),
  writeForm(genreTree.uploadGenrePicture, async ({ pool }) => ({
    fields: { genre_id: await aGenre(pool.ctx, unique('Genre')) },
    file: ['picture', await aPicture()],
  })),
  write(genreTree.removeGenrePicture, async ({ pool }) => ({ genre_id: await aGenre(pool.ctx, unique('Genre')) })),
  write(imports.startImport, async ({ importFolder }) => ({ folder: importFolder })),
  write(imports.createUploadImport, async () => ({ folder: 'Crate' })),
  write(imports.correctFile, async (context) => ({ ...(await aPlannedImport(context)), n: 1, title: 'Other' })),
  write(imports.planImport, (context) => aPlannedImport(context)),
  write(imports.doImport, (context) => aPlannedImport(context)),
  write(imports.stopImport, (context) => anImport(context)),
  write(imports.removeImport, (context) => aPlannedImport(context)),
  write(merchandise.saveProduct, async () => ({ title: unique('Bag'), url: 'https://shop.example/bag' })),
  writeForm(merchandise.uploadProductPicture, async (context) => ({
    fields: { product_id: await aProduct(context) },
    file: ['picture', await aPicture()],
  })),
  write(merchandise.removeProduct, async (context) => ({ product_id: await aProduct(context) })),
  write(merchandise.orderProducts, async (context) => ({ product_ids: [await aProduct(context)] })),
  write(merchandise.refreshStore, async () => ({})),
  write(merging.mergeSongs, async (context) => (await mergedSongs(context)).input),
  write(merging.splitSong, async (context) => {
    const { entity_id, versionIds } = await aListedSong(context, ['Clean', 'Dirty'])
    const { state } = await context.ask(merging.getSplit, { entity_id })
    const song_version_ids = versionIds.slice(1)
    return { entity_id, song_version_ids, title: unique('Split'), artist: 'Kwame', state }
  }),
  write(merging.undoMerge, async (context) => {
    const { gone: deleted, input } = await mergedSongs(context)
    await context.ask(merging.mergeSongs, input)
    return { entity_id: deleted }
  }),
  write(curation.saveList, async () => ({ kind: 'spotlight', title: unique('List'), entity_ids: [] })),
  write(curation.unpublishList, (context) => aList(context, 'now')),
  write(curation.removeList, (context) => aList(context, 'draft')),
  write(curation.suggestList, async (context) => {
    const { kind: _, ...list } = await aList(context, 'now')
    return { ...list, suggested: true }
  }),
  write(reanalyses.analyseSongs, async (context) => ({ entity_ids: [(await aListedSong(context)).entity_id] })),
  write(review.decideUploads, async (context) => {
    const { entity_id, version } = await aReviewedUpload(context)
    return { songs: [{ entity_id, version }], decision: 'publish' }
  }),
  write(review.editUpload, async (context) => {
    const { entity_id, version, data } = await aReviewedUpload(context)
    return { entity_id, version, song_section_id: 1, songData: { ...data, title: unique('Edited') } }
  }),
  write(trending.pinSong, async (context) => ({ entity_id: (await aListedSong(context)).entity_id, rank: 7 })),
  write(trending.unpinSong, async (context) => {
    const pin = { entity_id: (await aListedSong(context)).entity_id, rank: 8 }
    await context.ask(trending.pinSong, pin)
    return pin
  }),
]

/** Staff endpoints for the catalogue that write but leave no entry in the audit log. */
export const CATALOGUE_NOT_AUDITED: Write[] = [
  write(imports.registerFiles, async ({ ask }) => {
    const { import_run_id } = (await ask(imports.createUploadImport, { folder: 'Crate' })).import
    return { import_run_id, files: [file()] }
  }),
  writeForm(imports.uploadCover, async (context) => ({
    fields: await aSentImport(context),
    file: ['picture', await aPicture()],
  })),
  writeForm(imports.uploadSheet, async (context) => ({
    fields: { import_run_id: (await aSentImport(context)).import_run_id, path: 'songs.csv' },
    file: ['sheet', Buffer.from('file,artist,title\none.wav,Kwame,Night Drive\n')],
  })),
  writeForm(curation.uploadCover, async () => ({ fields: {}, file: ['picture', await aPicture()] })),
]
