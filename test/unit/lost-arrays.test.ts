import { createTester } from '../../src/node.ts';
import { testLostArrays } from '../helpers/lost-arrays.ts';

testLostArrays((dimension) => createTester({ backend: 'cpu', dimension } as object) as never);
