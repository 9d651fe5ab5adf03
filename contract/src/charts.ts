import * as z from 'zod/mini'
import { FILTER_ERRORS, genreName, ORDERS, orderOf, section, song } from './catalogue.ts'
import { endpoint, id, integerBetween, nothing, optionalId, page, pagination } from './endpoint.ts'
import { filterInput, isPersonalFilter } from './song-filter.ts'

/** Songs with a rank: charts, the monthly top 20 and trending songs. */

const rankedSong = z.extend(song, { rank: z.number(), downloads: z.number() })
export type RankedSong = z.output<typeof rankedSong>

export const CHART_TYPES = ['daily', 'weekly', 'monthly'] as const
/** The number of days that each chart counts, and how often it is counted again. */
export const CHART_DAYS = { daily: 1, weekly: 7, monthly: 30 } as const
export const CHART_UPDATE_MINUTES = { daily: 1, weekly: 10, monthly: 60 } as const
/** The number of ranks in a chart. */
export const CHART_LENGTH = 100

const chartedSong = z.extend(rankedSong, {
  /** Its rank in the previous period; null if it was not on the chart. */
  rank_before: z.nullable(z.number()),
})
export type ChartedSong = z.output<typeof chartedSong>

export const getChart = endpoint({
  path: 'song/chart.json',
  access: 'browse',
  section: 'charts',
  shared: true,
  isPersonal: isPersonalFilter,
  summary: 'List the 100 most downloaded songs of the last day, week or month, for one genre or all genres.',
  input: z.object({
    chart_type: z._default(z.enum(CHART_TYPES, { error: 'chart_type must be daily, weekly or monthly.' }), 'daily'),
    page,
    genre_id: optionalId('genre_id'),
    song_section_id: section,
    order: orderOf(['rank', ...ORDERS], 'rank'),
    orderDir: z._default(z.enum(['ASC', 'DESC'], { error: 'orderDir must be ASC or DESC.' }), 'ASC'),
    filter: filterInput,
  }),
  reply: z.object({
    songs: z.array(chartedSong),
    genres: z.array(genreName),
    /** When the chart was calculated. */
    counted_at: z.nullable(z.string()),
    pagination,
  }),
  errors: ['unknown_genre', 'section_disabled', ...FILTER_ERRORS],
})

export const getTop20Tracks = endpoint({
  path: 'top20/get-tracks.json',
  method: 'GET',
  access: 'browse',
  section: 'top20',
  shared: true,
  summary: 'List the monthly top-20 collections, newest first.',
  input: z.object({ page, limit: z._default(integerBetween(1, 30, 'limit must be between 1 and 30.'), 20) }),
  reply: z.object({
    tracks: z.array(z.object({ top20_track_id: z.number(), title: z.string(), cover_image: z.string() })),
    pagination,
  }),
})

export const getTop20Songs = endpoint({
  path: 'top20/index.json',
  access: 'browse',
  section: 'top20',
  shared: true,
  isPersonal: isPersonalFilter,
  summary: 'Get a top-20 collection with its songs, ranked.',
  input: z.object({ page, top20_track_id: id('top20_track_id'), filter: filterInput }),
  reply: z.object({ title: z.string(), songs: z.array(rankedSong), pagination }),
  errors: ['unknown_list', ...FILTER_ERRORS],
})

export const getTrendingTracks = endpoint({
  path: 'trending-track/get-trending-tracks.json',
  access: 'browse',
  section: 'charts',
  shared: true,
  summary: 'List the 30 fastest-rising songs.',
  input: nothing,
  reply: z.object({ songs: z.array(rankedSong) }),
})

export const getMostDownloadedToday = endpoint({
  path: 'download/get-most-downloaded-today.json',
  access: 'browse',
  section: 'charts',
  shared: true,
  summary: 'List the most downloaded songs since midnight UTC.',
  input: nothing,
  reply: z.object({ songs: z.array(rankedSong) }),
})
