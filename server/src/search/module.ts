import { defineModule } from '../module.ts'
import { searchRoutes } from './routes.ts'

export const search = defineModule({ name: 'search', routes: searchRoutes })
