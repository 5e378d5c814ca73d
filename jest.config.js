export default { testEnvironment: 'node', roots: ['<rootDir>/dist/test'], transform: {} };
