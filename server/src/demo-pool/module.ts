import { defineModule } from '../module.ts'

export const demoPool = defineModule({ name: 'demo-pool' })
