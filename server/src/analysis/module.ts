import { defineModule } from '../module.ts'

export const analysis = defineModule({ name: 'analysis' })
