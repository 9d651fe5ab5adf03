import { lazyOptional } from './lazyOnDemand.tsx'
import { useToastStack } from './toast.ts'

const Toasts = lazyOptional(() => import('./Toasts.tsx').then(({ Toasts }) => Toasts))

/** The place where toasts appear; their code is loaded with the first one. */
export function ToastStack() {
  const isMounted = useToastStack((stack) => stack.isMounted)
  return isMounted && <Toasts />
}
