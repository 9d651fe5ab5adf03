import { type ComponentType, useEffect, useState } from 'react'
import * as texts from './texts.ts'
import { toastTrouble } from './toast.ts'

/**
 * A part of the page whose code is fetched when it is first shown. Nothing stands in its place meanwhile; when the code
 * cannot be fetched that is said, and it is tried again the next time. (React's `lazy` would take the whole screen down.)
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, where its module is read
  return function Late(props: Props) {
    const [Part, setPart] = useState(() => Loaded)
    useEffect(() => {
      if (Loaded) return
      load().then(
        (part) => {
          Loaded = part
          setPart(() => part)
        },
        () => void toastTrouble(texts.couldntOpenThis, new Error(texts.youMayBeOfflineOr)),
      )
    }, [])
    return Part ? <Part {...props} /> : null
  }
}
