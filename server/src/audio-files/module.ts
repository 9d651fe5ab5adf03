import { defineModule } from '../module.ts'

export const audioFiles = defineModule({ name: 'audio-files' })
