import { lazy, Suspense } from 'react'
import { useToastStack } from './toast.ts'

const Toasts = lazy(() => import('./Toasts.tsx').then(({ Toasts }) => ({ default: Toasts })))

/** The place where toasts appear; their code is loaded with the first one. */
export function ToastStack() {
  const isMounted = useToastStack((stack) => stack.isMounted)
  if (!isMounted) return null
  return (
    <Suspense>
      <Toasts />
    </Suspense>
  )
}
