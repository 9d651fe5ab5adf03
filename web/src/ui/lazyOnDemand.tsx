import { type ComponentType, useEffect, useState } from 'react'
import * as texts from './texts.ts'
import { toastError } from './toast.ts'

/**
 * A part of the page whose code is fetched when it is first shown. Nothing stands in its place meanwhile; when the code
 * cannot be fetched that is said, and it is tried again the next time. (React's `lazy` would take the whole screen down.)
 */
export function lazyOnDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, where its module is read
  return function Late(props: Props) {
    const [Component, setComponent] = useState(() => Loaded)
    useEffect(() => {
      if (Loaded) return
      load().then(
        (component) => {
          Loaded = component
          setComponent(() => component)
        },
        () => void toastError(texts.couldntOpenThis, new Error(texts.youMayBeOfflineOr)),
      )
    }, [])
    return Component ? <Component {...props} /> : null
  }
}
