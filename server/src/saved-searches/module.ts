import { defineModule } from '../module.ts'
import { serveFeeds } from './feed.ts'
import { savedSearchesData } from './own-data.ts'
import { savedSearchRoutes } from './routes.ts'
import { notifySavedSearches } from './search-notifications.ts'

export const savedSearches = defineModule({
  name: 'saved-searches',
  tables: ['saved_search'],
  routes: savedSearchRoutes,
  http: serveFeeds,
  jobs: [
    {
      task: 'tell_saved_searches',
      schedule: { times: '*/15 * * * *', about: 'Notifies members about new matches for their saved searches.' },
      run: (ctx) => notifySavedSearches(ctx),
    },
  ],
  ownData: savedSearchesData,
})
