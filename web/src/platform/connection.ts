import { create } from 'zustand'

/** Whether the browser has a network at all. A server that does not answer is said where it was asked. */
export const useConnection = create<{ offline: boolean }>(() => ({ offline: !navigator.onLine }))

const look = () => useConnection.setState({ offline: !navigator.onLine })
addEventListener('online', look)
addEventListener('offline', look)
