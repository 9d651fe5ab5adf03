import { defineModule } from '../module.ts'
import { creditMissing } from './credits.ts'
import { rebuildAnchors } from './lists.ts'
import { deletePicture, servePictures } from './pictures.ts'
import { catalogueRoutes } from './routes.ts'
import { recountWords } from './search-index.ts'
import { deleteOldHours } from './song-counts.ts'

export const catalogue = defineModule({
  name: 'catalogue',
  tables: [
    'song',
    'song_version',
    'version_kind',
    'genre',
    'genre_alias',
    'merged_song',
    'song_genre',
    'genre_counter',
    'list_anchor',
    'song_credit',
    'song_search',
    'search_word',
    'search_word_del',
    'chart_count',
    'listen_count',
    'song_total',
    'song_edit',
    'song_edit_song',
  ],
  routes: catalogueRoutes,
  http: (app, ctx, { findCoverText }) => servePictures(app, ctx, findCoverText),
  jobs: [
    {
      task: 'forget_hours',
      schedule: { times: '40 * * * *', about: 'Deletes hourly counts that charts no longer need.' },
      run: ({ sql, now }) => deleteOldHours(sql, now()),
    },
    {
      task: 'recount_words',
      schedule: { times: '10 3 * * *', about: 'Refreshes search term statistics.' },
      run: ({ sql }) => recountWords(sql),
    },
    {
      task: 'credit_songs',
      schedule: {
        times: '30 3 * * *',
        about: 'Lists songs on the pages of their artists and labels, if they are missing there.',
        atStart: true,
      },
      run: ({ sql }, { signal }) => creditMissing(sql, signal),
    },
    {
      task: 'rebuild_anchors',
      schedule: { times: '20 3 * * *', about: 'Refreshes page positions of long lists.' },
      run: ({ sql }) => rebuildAnchors(sql),
    },
  ],
  deletePicture,
})
