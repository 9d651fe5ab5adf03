// Replaces 'zustand' in component tests (web/component-tests.ts): the page is not reloaded between tests, so every
// store is reset to its initial state instead.

import { create as createStore, type UseBoundStore } from 'zustand/react'
import type { StateCreator, StoreApi } from 'zustand/vanilla'

export { useStore } from 'zustand/react'
export * from 'zustand/vanilla'

const stores = new Set<StoreApi<unknown>>()

export function create<T>(initializer: StateCreator<T>): UseBoundStore<StoreApi<T>> {
  const store = createStore<T>(initializer)
  stores.add(store as StoreApi<unknown>)
  return store
}

export function resetStores(): void {
  for (const store of stores) store.setState(store.getInitialState(), true)
}
