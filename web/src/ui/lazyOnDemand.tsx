import { type ComponentType, useEffect, useState } from 'react'
import * as texts from './texts.ts'
import { toastError } from './toast.ts'

/**
 * A part of the page whose code is loaded when it is first shown. Nothing is shown while it loads; if that fails, an
 * error appears and it is tried again the next time. (React's `lazy` would replace the whole screen.)
 */
export function lazyOnDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined
  // biome-ignore lint/correctness/noComponentHookFactories: called once per part, when its module is loaded
  return function Late(props: Props) {
    const [Component, setComponent] = useState(() => Loaded)
    useEffect(() => {
      if (Loaded) return
      load().then(
        (component) => {
          Loaded = component
          setComponent(() => component)
        },
        () => void toastError(texts.couldntOpenThis, new Error(texts.offlineOrNewVersion)),
      )
    }, [])
    return Component ? <Component {...props} /> : null
  }
}
