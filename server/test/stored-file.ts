import path from 'node:path'
import type { AppContext } from '../src/app-context.ts'
import { storageKey } from '../src/platform/storage.ts'

/** The path of a source file with this SHA-256 in a pool with a storage folder. */
export const storedFilePath = ({ config }: Pick<AppContext, 'config'>, sha256: string): string =>
  path.join(config.dataDir, 'media', storageKey('audio', sha256))
