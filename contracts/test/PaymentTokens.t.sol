// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenBoost} from "../TokenBoost.sol";
import {BoostTest, deployBoost} from "./BoostTest.t.sol";
import {PlainToken} from "./Tokens.t.sol";
import {vm} from "./Vm.t.sol";

contract PaymentTokensTest is BoostTest {
    function test_aTokenIsTakenOnceItIsAllowed() external {
        vm.assertFalse(boost.isPaymentTokenAllowed(address(other)));
        vm.expectEmit(address(boost));
        emit TokenBoost.PaymentTokenUpdated(address(other), true, 18);
        allow(address(other));
        vm.assertTrue(boost.isPaymentTokenAllowed(address(other)));
        endow(address(other), ALICE, 25 ether);
        pay(ALICE, coin, address(other));
        vm.assertEq(other.balanceOf(ALICE), 0);
        vm.assertEq(boost.held(address(other)), 25 ether);
        vm.assertEq(boost.held(address(usdc)), 0);
    }

    function test_aTokenIsNoLongerTaken() external {
        pay(ALICE, coin);
        vm.expectEmit(address(boost));
        emit TokenBoost.PaymentTokenUpdated(address(usdc), false, 0);
        vm.prank(OWNER);
        boost.setPaymentToken(address(usdc), false);
        vm.assertFalse(boost.isPaymentTokenAllowed(address(usdc)));
        vm.assertTrue(isBoosted(coin));
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.PaymentTokenNotAllowed.selector, address(usdc)));
        pay(ALICE, coin);
    }

    function test_aTokenThatIsNoLongerTakenIsStillPaidOut() external {
        pay(ALICE, coin);
        vm.prank(OWNER);
        boost.setPaymentToken(address(usdc), false);
        remove(coin);
        claim(ALICE);
        vm.assertEq(usdc.balanceOf(ALICE), 10_000_000_000);
    }

    function test_theAmountFollowsTheDecimals() external {
        uint256[6] memory decimals = [uint256(0), 5, 6, 18, 30, 36];
        uint256[6] memory amounts = [uint256(25), 2_500_000, 25_000_000, 25e18, 25e30, 25e36];
        for (uint256 i = 0; i < 6; ++i) {
            PlainToken token = new PlainToken(decimals[i]);
            allow(address(token));
            vm.assertEq(boost.paymentAmount(address(token)), amounts[i]);
            endow(address(token), ALICE, amounts[i]);
            pay(ALICE, coin, address(token));
            vm.assertEq(token.balanceOf(address(boost)), amounts[i]);
        }
    }

    function test_theAmountIsRoundedUp() external {
        PlainToken whole = new PlainToken(0);
        PlainToken cents = new PlainToken(2);
        TokenBoost odd = deployBoost(OWNER, address(whole), 25_000_001);
        vm.prank(OWNER);
        odd.setPaymentToken(address(cents), true);
        vm.assertEq(odd.paymentAmount(address(whole)), 26);
        vm.assertEq(odd.paymentAmount(address(cents)), 2_501);
    }

    function test_theAmountIsNeverUnderThePrice(uint256 price, uint256 decimals) external {
        price = between(price, 1, 100_000_000_000);
        PlainToken token = new PlainToken(between(decimals, 0, 36));
        uint256 amount = deployBoost(OWNER, address(token), price).paymentAmount(address(token));
        vm.assertTrue(amount * 10 ** 6 >= price * 10 ** token.decimals());
        vm.assertTrue((amount - 1) * 10 ** 6 < price * 10 ** token.decimals());
    }

    function test_revertsForTheAmountOfATokenThatIsNotAllowed() external {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.PaymentTokenNotAllowed.selector, address(other)));
        boost.paymentAmount(address(other));
    }

    function test_revertsForMoreThan36Decimals() external {
        test_revertsForMoreThan36Decimals(37);
    }

    function test_revertsForMoreThan36Decimals(uint256 decimals) public {
        vm.assume(decimals > 36);
        PlainToken token = new PlainToken(decimals);
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.InvalidPaymentToken.selector, address(token)));
        allow(address(token));
    }

    function test_revertsForWhatIsNoToken() external {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.InvalidPaymentToken.selector, address(boost)));
        allow(address(boost));
    }

    function test_revertsForAnybodyButTheOwner() external {
        vm.expectRevert(notOwner(ALICE));
        vm.prank(ALICE);
        boost.setPaymentToken(address(other), true);
    }
}
