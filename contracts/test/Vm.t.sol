// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The cheats of the test machine that these tests use.
interface Vm {
    function getCode(string calldata contract_) external view returns (bytes memory creation);
    function prank(address sender) external;
    function warp(uint256 timestamp) external;
    function assume(bool condition) external pure;
    function expectRevert(bytes calldata data) external;
    function expectEmit(address emitter) external;
    function assertEq(uint256 left, uint256 right) external pure;
    function assertEq(uint256 left, uint256 right, string calldata why) external pure;
    function assertEq(address left, address right) external pure;
    function assertTrue(bool condition) external pure;
    function assertTrue(bool condition, string calldata why) external pure;
    function assertFalse(bool condition) external pure;
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256 gasUsed);
}

Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
