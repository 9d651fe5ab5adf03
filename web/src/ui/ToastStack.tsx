import { lazy, Suspense } from 'react'
import { useToastStack } from './toast.ts'

const Toasts = lazy(() => import('./Toasts.tsx').then(({ Toasts }) => ({ default: Toasts })))

/** Where toasts appear; the code for them is loaded with the first one. */
export function ToastStack() {
  const wanted = useToastStack((stack) => stack.wanted)
  if (!wanted) return null
  return (
    <Suspense>
      <Toasts />
    </Suspense>
  )
}
