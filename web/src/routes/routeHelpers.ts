import { createRootRoute, lazyRouteComponent, notFound, type RouteComponent } from '@tanstack/react-router'
import { DIALOGS } from '../platform/address.ts'
import { oneOf, searchFields } from '../platform/search-fields.ts'
import { Shell } from '../site/Shell.tsx'

export const root = createRootRoute({
  component: Shell,
  validateSearch: searchFields({ dialog: oneOf(DIALOGS) }),
})

/** A number in a path. An address with something else there leads nowhere. */
function parsePositiveInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1) throw notFound()
  return number
}

/** The one parameter of a path, as a number. */
export const number = <Name extends string>(name: Name) => ({
  parse: (params: Record<Name, string>) => ({ [name]: parsePositiveInteger(params[name]) }) as Record<Name, number>,
  stringify: (params: Record<Name, number>) => ({ [name]: String(params[name]) }) as Record<Name, string>,
})

/** The same where an address may end before it. */
export const optionalNumber = <Name extends string>(name: Name) => ({
  parse: (params: { [name in Name]?: string }) =>
    (params[name] ? { [name]: parsePositiveInteger(params[name]) } : {}) as { [name in Name]?: number },
  stringify: (params: { [name in Name]?: number }) =>
    (params[name] ? { [name]: String(params[name]) } : {}) as { [name in Name]?: string },
})

/**
 * A screen whose code is fetched when somebody goes there. The router would load the whole page again when that fails,
 * which ends the music, and offline the page itself; said in other words, the failure reaches BrokenScreen.
 */
export const screen: typeof lazyRouteComponent = (loadComponent, name) =>
  lazyRouteComponent(
    () =>
      loadComponent().catch((cause) => {
        throw new Error('Couldn’t load the code for this page.', { cause })
      }),
    name,
  )

type LazyScreens = typeof import('../otherScreens.ts')

/** The names whose module exports a component of that name: the router shows an empty page where it does not. */
type ScreenName = {
  [Name in keyof LazyScreens]: Name extends keyof Awaited<ReturnType<LazyScreens[Name]>> ? Name : never
}[keyof LazyScreens]

/** One of the screens around the music, by its name. */
export const lazyScreen = <Name extends ScreenName>(name: Name) =>
  screen(
    async () => (await (await import('../otherScreens.ts'))[name]()) as unknown as Record<Name, RouteComponent>,
    name,
  )

/** The screens of music, with what plays and what is around it beside them. */
export const withSidebar = { getParentRoute: () => root, staticData: { hasSidebar: true } }
