import { charts } from '@dubplate/contract'
import { applyHiddenParts } from '../catalogue/hidden-parts.ts'
import { on, type Route } from '../membership/caller.ts'
import { chartPage, mostDownloadedToday } from './charts.ts'

export const chartRoutes: Route[] = [
  on(charts.getChart, async ({ input, ctx, sql }) =>
    chartPage(sql, await applyHiddenParts(ctx, input), ctx.settings.downloadLimit),
  ),
  on(charts.getMostDownloadedToday, async ({ sql, ctx }) => ({
    songs: await mostDownloadedToday(sql, ctx.settings.downloadLimit),
  })),
]
