import { create } from 'zustand'

/** The colour scheme of Mantine's components; preferences.ts sets it. */
export const useScheme = create<{ scheme: 'dark' | 'light' }>(() => ({ scheme: 'dark' }))
