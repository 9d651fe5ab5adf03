import { type ComponentType, useEffect, useState } from 'react'
import * as texts from './texts.ts'
import { toastError } from './toast.ts'

const showError = () => void toastError(texts.couldntOpenThis, new Error(texts.offlineOrNewVersion))

/**
 * A part of the page whose code is loaded when it is first shown. Nothing is shown while it loads; if that fails,
 * `onError` is called (by default, an error appears) and it is tried again the next time. React's `lazy` would replace
 * the whole screen.
 */
export function lazyOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onError: () => void = showError,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined
  // biome-ignore lint/correctness/noComponentHookFactories: called once per part, when its module is loaded
  return function Late(props: Props) {
    const [Component, setComponent] = useState(() => Loaded)
    useEffect(() => {
      if (Loaded) return
      load().then((component) => {
        Loaded = component
        setComponent(() => component)
      }, onError)
    }, [])
    return Component ? <Component {...props} /> : null
  }
}

/** The same for a part that the screen works without: it is left out if its code can't be loaded (offline). */
export const lazyOptional = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> =>
  lazyOnDemand(load, () => undefined)
