import { charts } from '@dubplate/contract'
import { applyHiddenParts } from '../catalogue/hidden-parts.ts'
import { keepMatching } from '../catalogue/song-filtering.ts'
import { on, type Route } from '../membership/caller.ts'
import type { ModuleHooks } from '../module.ts'
import { chartPage, mostDownloadedToday } from './charts.ts'

export const chartRoutes = ({ songFiltering }: ModuleHooks): Route[] => [
  on(charts.getChart, async ({ input, caller, ctx, sql }) =>
    chartPage(
      sql,
      await applyHiddenParts(ctx, input),
      ctx.settings.downloadLimit,
      keepMatching(songFiltering, { sql, input, caller }),
    ),
  ),
  on(charts.getMostDownloadedToday, async ({ sql, ctx }) => ({
    songs: await mostDownloadedToday(sql, ctx.settings.downloadLimit),
  })),
]
