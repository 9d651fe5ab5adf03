import { defineModule } from '../module.ts'
import { matchOldLibraries, sweepImports } from './libraries.ts'
import { startMatchingLoop } from './matching-loop.ts'
import { ownLibraryData } from './own-data.ts'
import { ownLibraryRoutes } from './routes.ts'

export const ownLibrary = defineModule({
  name: 'own-library',
  tables: ['own_library', 'own_library_entry', 'own_library_candidate'],
  routes: ownLibraryRoutes,
  jobs: [
    {
      task: 'match_libraries',
      schedule: { times: '20 4 * * *', about: 'Compares members’ libraries with new songs, each once a week.' },
      run: ({ sql }) => matchOldLibraries(sql),
    },
  ],
  loops: [startMatchingLoop],
  sweeps: [({ sql }) => sweepImports(sql)],
  ownData: ownLibraryData,
})
