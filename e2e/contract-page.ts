import { connect } from '#renderer/client/connect.ts';
import type { StudioClient } from '#shared/contract.ts';
import { contractSuite } from '#shared/testing/contract-suite.ts';
import type { World } from '#shared/testing/contract-suite.ts';

/** What this script, put into the studio's page, gives the specs: a client of the page's own over its real channel. */
export interface ContractPage {
  /** Runs one case of the contract suite; fails as the case fails. */
  run(caseName: string): Promise<void>;
  readonly client: Promise<StudioClient>;
}

declare global {
  /** The Node side of the world, by method name. */
  function sunwellWorld(method: string, args: unknown[]): Promise<never>;
  var sunwellContract: ContractPage;
}

const world: World = {
  makeWorkspace: (...args) => sunwellWorld('makeWorkspace', args),
  writeFile: (...args) => sunwellWorld('writeFile', args),
  readFile: (...args) => sunwellWorld('readFile', args),
  removeFile: (...args) => sunwellWorld('removeFile', args),
};

const client = connect().then((connection) => connection.client);

globalThis.sunwellContract = {
  client,
  async run(caseName) {
    const found = contractSuite.find(({ name }) => name === caseName);
    if (!found) throw new Error(`No case is called "${caseName}"`);
    await found.run(await client, world);
  },
};
