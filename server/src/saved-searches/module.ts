import { defineModule } from '../module.ts'
import { fillCrates } from './crate-filling.ts'
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
    {
      task: 'fill_crates',
      schedule: { times: '0 5 * * 5', about: 'Adds new matches of saved searches to crates.' },
      run: (ctx) => fillCrates(ctx),
    },
  ],
  ownData: savedSearchesData,
})
