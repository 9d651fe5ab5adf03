import { ownLibrary } from '@dubplate/contract'
import { on, type Route } from '../membership/caller.ts'
import { listBetterVersions } from './better-versions.ts'
import { decideMatches } from './decisions.ts'
import { getOverview, matchLibraryAgain, removeLibrary } from './libraries.ts'
import { importPart } from './library-import.ts'
import { listMatches, showEntries } from './matches.ts'
import { countOwned, getOwned } from './owned.ts'

export const ownLibraryRoutes: Route[] = [
  on(ownLibrary.importCollection, async ({ input, member, sql }) => ({
    import: await importPart(sql, member.customer_id, input),
  })),
  on(ownLibrary.getLibraries, async ({ member, sql }) => getOverview(sql, member.customer_id)),
  on(ownLibrary.removeCollection, async ({ input, member, sql }) => {
    await removeLibrary(sql, member.customer_id, input.library_id)
    return getOverview(sql, member.customer_id)
  }),
  on(ownLibrary.matchAgain, async ({ input, member, sql }) => {
    await matchLibraryAgain(sql, member.customer_id, input.library_id)
    return getOverview(sql, member.customer_id)
  }),
  on(ownLibrary.getMatches, async ({ input, member, ctx, sql }) =>
    listMatches({ sql, settings: ctx.settings }, member.customer_id, input),
  ),
  on(ownLibrary.decideMatches, async ({ input, member, ctx, sql }) => {
    await decideMatches(sql, member.customer_id, input.decisions)
    const shown = await showEntries(
      { sql, settings: ctx.settings },
      input.decisions.map(({ entry_id }) => entry_id),
    )
    return { ...shown, overview: await getOverview(sql, member.customer_id) }
  }),
  on(ownLibrary.getOwned, async ({ input, member, sql }) => getOwned(sql, member.customer_id, input.revision)),
  on(ownLibrary.countOwned, async ({ input, member, ctx }) => ({
    owned: await countOwned(ctx, member.customer_id, input),
  })),
  on(ownLibrary.getBetterVersions, async ({ input, member, ctx, sql }) =>
    listBetterVersions({ sql, settings: ctx.settings }, member.customer_id, input),
  ),
]
