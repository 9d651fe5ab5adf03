import path from 'node:path'
import type { AppContext } from '../src/app-context.ts'
import { storageKey } from '../src/platform/storage.ts'

/** Where a pool on a disk keeps the original with this SHA-256. */
export const storedFilePath = ({ config }: Pick<AppContext, 'config'>, sha256: string): string =>
  path.join(config.dataDir, 'media', storageKey('audio', sha256))
