import { defineModule } from '../module.ts'

export const ownLibrary = defineModule({ name: 'own-library' })
