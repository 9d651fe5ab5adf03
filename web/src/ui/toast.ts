import type { ReactNode } from 'react'
import { create } from 'zustand'
import * as texts from './texts.ts'

export type Toast = {
  title?: string
  message: ReactNode
  tone?: 'plain' | 'error'
  /** An action the user can take. */
  action?: { label: string; run: () => void }
  /** It stays until this settles. */
  until?: Promise<unknown>
}

/** The code of the toasts is loaded with the first one. */
export const useToastStack = create(() => ({ isMounted: false }))

export async function toast(options: Toast) {
  // Offline before the first toast, its code cannot be loaded: the message is lost, but the page keeps working.
  const code = await import('./Toasts.tsx').catch(() => undefined)
  if (!code) return
  useToastStack.setState({ isMounted: true })
  code.show(options)
}

/** Shows an error in a toast. */
export const toastError = (title: string, error: unknown) =>
  toast({
    title,
    message: error instanceof Error ? error.message : texts.somethingWentWrongTryAgain,
    tone: 'error',
  })
