import { defineModule } from '../module.ts'

export const books = defineModule({ name: 'books' })
